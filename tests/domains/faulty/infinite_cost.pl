% Estimates and costs that are infinite, negative zero, or huge.
initial_state(n(0, 0)).
final_state(n(3, 3)).
rule(e, C, n(X,Y), n(X1,Y)) :- X < 4, X1 is X + 1, ( X = 3, Y = 1 -> C is inf ; C = 1 ).
rule(s, C, n(X,Y), n(X,Y1)) :- Y < 4, Y1 is Y + 1, ( Y1 = 2, X = 0 -> C is -0.0 ; C = 1 ).
rule(far, C, n(4,Y), n(0,Y)) :- C is 2 ** 70.
heuristic(n(X,Y), H) :- ( X > 3 ; Y > 3 ), !, H is inf.
heuristic(n(X,Y), H) :- H is 6 - X - Y.
