% A guard that is too strict: all states were looked at.
%! N0605 4
%! N0801 4
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 4, M is N + 1.
rule(down, 1, N, M) :- N > 0, M is N - 1.
