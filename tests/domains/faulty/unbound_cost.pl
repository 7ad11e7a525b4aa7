% The price of one way is not known.
way(a, b, 3). way(b, c, _). way(a, d, 4). way(d, c, 1). way(c, e, 2). way(d, e, 8).
initial_state(a).
final_state(e).
rule(to(Y), C, X, Y) :- way(X, Y, C).
heuristic(_, 0).
