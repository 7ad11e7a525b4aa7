% A start that is over.
%! W0521 4
initial_state(s(0)).
final_state(s(_)).
rule(up, 1, s(N), s(M)) :- N < 5, M is N + 1.
