% A puzzle whose rule raises an error.
initial_state(0).
final_state(3).
rule(step, 1, N, M) :- N < 2, M is N + 1.
rule(slip, 1, 2, M) :- wrong(M).
wrong(M) :- M is 1 + oops.
