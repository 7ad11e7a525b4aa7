% A robot walks over hills to (4,4); climbing costs, going down is free.
% pos(X,Y) and a charge that must not become negative.
height([[0,1,2,1],
        [1,3,1,0],
        [2,1,0,2],
        [1,0,3,0]]).

h(X, Y, H) :- height(Rows), nth1(Y, Rows, Row), nth1(X, Row, H).

initial_state(robot(pos(1,1), 6)).
final_state(robot(pos(4,4), _)).

rule(Dir, Cost, robot(pos(X,Y), E), robot(pos(X1,Y1), E1)) :-
    step(Dir, X, Y, X1, Y1),
    h(X, Y, H), h(X1, Y1, H1),
    Cost is 1 + max(0, H1 - H),
    E1 is E - max(0, H1 - H) + min(1, max(0, H - H1)),
    E1 >= 0.

step(east,  X, Y, X1, Y) :- X1 is X + 1.
step(west,  X, Y, X1, Y) :- X1 is X - 1.
step(south, X, Y, X, Y1) :- Y1 is Y + 1.
step(north, X, Y, X, Y1) :- Y1 is Y - 1.

heuristic(straight, robot(pos(X,Y), _), H) :- H is sqrt((4-X)**2 + (4-Y)**2).
heuristic(taxi, robot(pos(X,Y), _), H) :- H is 8 - X - Y.
