% Press the keys of a broken calculator: +7, *2, -3, and squares below 10.
% From 1 to 42; no more than 150 on the display.
initial_state(1).
final_state(42).

key(plus7,  X, Y) :- Y is X + 7.
key(double, X, Y) :- Y is X * 2.
key(minus3, X, Y) :- Y is X - 3.
key(square, X, Y) :- X < 10, Y is X * X.

rule(Key, 1, X, Y) :-
    key(Key, X, Y),
    Y > 0,
    Y =< 150.

heuristic(X, H) :- X =:= 42 -> H = 0 ; H = 1.
