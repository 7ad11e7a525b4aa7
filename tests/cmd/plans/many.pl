% Two moves that do the same, a hundred times.
initial_state(0).
final_state(100).
rule(one, 1, X, Y) :- X < 100, Y is X + 1.
rule(another, 1, X, Y) :- X < 100, Y is X + 1.
