% A puzzle without an end, and a rule that writes.
initial_state(zero, 0).
final_state(goal).
rule(up, 1, N, M) :- M is N + 1.
