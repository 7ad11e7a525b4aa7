% None of the names is right.
%! W0503 9
%! W0503 9
%! W0502 7
%! W0509 8
start_state(0).
initial_state(0, 1, 2).
rules(up, 1, N, M) :- N < 5, M is N + 1.
final_state(5).
