% None of the names is right.
%! W0502 5
%! W0509 6
start_state(0).
initial_state(0, 1, 2).
rules(up, 1, N, M) :- N < 5, M is N + 1.
final_state(5).
