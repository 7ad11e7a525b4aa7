% A successor with arithmetic in it.
%! W0516 6
%= rule(up, 1, s(N, X), s(M, X)) :- N < 5, M is N + 1.
initial_state(s(0, a)).
final_state(s(4, a)).
rule(up, 1, s(N, X), s(M, X)) :- N < 5, M = N + 1.
