% Halving makes floats: 3/2 is 1.5, and 2.0 is not 2.
initial_state(12).
final_state(1).
final_state(1.0).
rule(half, 1, X, Y) :- X > 0.2, Y is X / 2.
rule(half_float, 1, X, Y) :- X > 1, integer(X), Y is X / 2.0.
rule(dec, 1, X, Y) :- integer(X), X > 1, Y is X - 1.
rule(round, 2, X, Y) :- float(X), Y is round(X).
heuristic(X, H) :- H is max(0, ceiling(log(max(X, 1)) / log(2))).
