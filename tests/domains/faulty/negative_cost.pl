% Downhill the cost becomes negative in a few places.
h(1, 3). h(2, 5). h(3, 4). h(4, 1). h(5, 9). h(6, 2).
initial_state(1).
final_state(6).

rule(on, C, X, Y) :- X < 6, Y is X + 1, h(X, A), h(Y, B), C is B - A + 4.
rule(jump, C, X, Y) :- X < 5, Y is X + 2, h(X, A), h(Y, B), C is abs(B - A).
rule(back, 1, X, Y) :- X > 1, Y is X - 1.

heuristic(X, H) :- H is 6 - X.
