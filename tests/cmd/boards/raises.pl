% draw_state/2 computes with a name.

initial_state(0).
final_state(1).
rule(inc, 1, N, M) :- N < 1, M is N + 1.
draw_state(N, [[X]]) :- X is N + colour.
