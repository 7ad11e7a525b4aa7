% Estimates that are there for some states only.

initial_state(near, 2).
initial_state(far,  9).

final_state(0).

rule(down, 1, X, Y) :- X > 0, Y is X - 1.

heuristic(low,   X, X) :- X < 5.
heuristic(blind, _, 0).
