% The unsorted start has a move that its sorted form lacks.
initial_state(s([b, a])).
final_state(s([a, b, c])).
rule(swap, 1, s([b, a]), s(L)) :- sort([a, b, c], L).
rule(del(X), 1, s(L), s(L1)) :- member(X, L), delete(L, X, L1).
rule(add(X), 1, s(L), s(L1)) :- member(X, [a, b]), \+ member(X, L), sort([X|L], L1).
