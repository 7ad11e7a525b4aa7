% A walk from 0 to 6 by steps and jumps, with estimates good and bad.

initial_state(begin,  0).
initial_state(middle, 3).
initial_state(end,    6).

final_state(6).

rule(step, 1, X, Y) :- X < 6, Y is X + 1.
rule(jump, 2, X, Y) :- X < 5, Y is X + 2.

heuristic(exact,  X, H) :- H is 6 - X.
heuristic(bold,   X, H) :- H is 2 * (6 - X).
heuristic(patchy, X, H) :- ( X mod 2 =:= 0 -> H is 6 - X ; H = 0 ).
