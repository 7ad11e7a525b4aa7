% Fox and geese on a strip of 3 x 4: fox(X,Y) wants to row 1, geese go down only.
initial_state(fg(fox(2,1), [goose(1,4), goose(3,4), goose(2,3)])).
initial_player(fox).
opponent(fox, geese).
opponent(geese, fox).

on_board(X, Y) :- X >= 1, X =< 3, Y >= 1, Y =< 4.

move(fox, go(X1,Y1), fg(fox(X,Y), Gs), fg(fox(X1,Y1), Gs)) :-
    member((Dx,Dy), [(1,0),(-1,0),(0,1),(0,-1)]),
    X1 is X + Dx, Y1 is Y + Dy,
    on_board(X1, Y1),
    \+ member(goose(X1,Y1), Gs).
move(geese, g(X,Y,X1,Y1), fg(F, Gs), fg(F, [goose(X1,Y1)|Rest])) :-
    select(goose(X,Y), Gs, Rest),
    ( X1 = X, Y1 is Y - 1 ; Y1 = Y, ( X1 is X - 1 ; X1 is X + 1 ) ),
    on_board(X1, Y1),
    F \= fox(X1,Y1),
    \+ memberchk(goose(X1,Y1), Rest).

terminal(_, fg(fox(_,4), _)) :- !.
terminal(J, S) :- \+ move(J, _, S, _).

utility(fox, fg(fox(_,4),_), 1) :- !.
utility(geese, fg(fox(_,4),_), -1) :- !.
utility(_, _, -1).

heuristic(fox, fg(fox(_,Y), _), H) :- H is Y / 4.
heuristic(geese, fg(fox(_,Y), _), H) :- H is -Y / 4.
