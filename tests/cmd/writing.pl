% A counter whose moves write, which keeps them from becoming code.

initial_state(0).
final_state(2000).
rule(up, 1, N, M) :- write(''), N < 2000, M is N + 1.
