initial_state(s(0)).
final_state(s(3)).
rule(add, 1, s(N), s(M)) :- count(N, X), M is X + 1.
count(N, X) :- M is N + 1, count(M, Y), X is Y + 1.
