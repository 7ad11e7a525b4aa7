% Two instances of one name; one that is named as the state of another.
%! W0518 5
%! W0522 6
initial_state(a, 0).
initial_state(a, 1).
initial_state(0, 2).
final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1.
