% a 7 litre jug and a 5 litre jug, get 6 in one
initial_state(j(0,0)).
final_state(j(6,_)).
final_state(j(_,6)).

cap(big, 7).
cap(small, 5).

% the cost is the amount of water that flows
rule(fill(big), C, j(X,Y), j(7,Y))   :- X < 7, C is 7 - X.
rule(fill(small), C, j(X,Y), j(X,5)) :- Y < 5, C is 5 - Y.
rule(empty(big), X, j(X,Y), j(0,Y))  :- X > 0.
rule(empty(small), Y, j(X,Y), j(X,0)) :- Y > 0.
rule(pour(big,small), D, j(X,Y), j(X1,Y1)) :-
    X > 0, Y < 5,
    D is min(X, 5 - Y),
    X1 is X - D,
    Y1 is Y + D.
rule(pour(small,big), D, j(X,Y), j(X1,Y1)) :-
    Y > 0, X < 7,
    D is min(Y, 7 - X),
    X1 is X + D,
    Y1 is Y - D.

heuristic(j(X,Y), 0) :- ( X =:= 6 ; Y =:= 6 ), !.
heuristic(_, 1).
