% Two white and two black knights in the corners of 3x3 change places (Guarini).
initial_state([at(black,1,3), at(black,3,3), at(white,1,1), at(white,3,1)]).
final_state([at(black,1,1), at(black,3,1), at(white,1,3), at(white,3,3)]).

knight(X, Y, X1, Y1) :-
    member(Dx/Dy, [1/2, 2/1, 2/(-1), 1/(-2), -1/(-2), -2/(-1), -2/1, -1/2]),
    X1 is X + Dx, X1 >= 1, X1 =< 3,
    Y1 is Y + Dy, Y1 >= 1, Y1 =< 3.

rule(jump(C, X/Y, X1/Y1), 1, S1, S2) :-
    select(at(C,X,Y), S1, S),
    knight(X, Y, X1, Y1),
    \+ member(at(_,X1,Y1), S),
    msort([at(C,X1,Y1)|S], S2).
