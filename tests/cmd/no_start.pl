% A puzzle that does not say where it begins.

final_state(3).
rule(up, 1, N, M) :- N < 3, M is N + 1.
