% Sorting by reversals, as with genomes. Any part of the list may be turned,
% for a price of its length.
initial_state(g(c,e,a,d,b)).

final_state(G) :- G =.. [g|L], sort(L, L).

rule(rev(I,J), Cost, G1, G2) :-
    G1 =.. [g|L1],
    append(Front, Middle, Back, L1),
    Middle = [_,_|_],
    length(Front, I),
    length(Middle, Cost),
    J is I + Cost,
    reverse(Middle, Eldim),
    append(Front, Eldim, Back, L2),
    G2 =.. [g|L2].

append(A, B, C, L) :- append(A, BC, L), append(B, C, BC).

breaks(L, N) :- findall(x, ( append(_, [A,B|_], L), A @> B ), Xs), length(Xs, N).

heuristic(G, H) :- G =.. [_|L], breaks(L, H).
