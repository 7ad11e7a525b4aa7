% Reversi (L. Waterman, J. Mollett, 1883).
%
% Two players, x and o, in turn put a disc on an empty square so that it and another
% disc of theirs enclose a line of hostile discs, in any of the eight directions.
% All the discs so enclosed are turned over.  Who can't do that must pass; when
% neither can, the game is over.  The worth of its end is the difference of the discs.
%
% A state is the list of the rows of the board.  An empty square is an unbound
% variable.  A move is named after its square, [Row,Column], or is `pass`.
%
% Instances, and their worth with best play for x, who begins:
%
%     eight   0, a draw (H. Takizawa, 2023)
%     six     -4, an end of 16 to 20 (J. Feinstein, 1993)
%     four    -8, an end of 3 to 11
%
% Things to try: `four` is solved in a moment.  Let a heuristic say the difference of
% the discs instead of that of the moves, and the two play against each other.

initial_state(eight,
    [[_,_,_,_,_,_,_,_],
     [_,_,_,_,_,_,_,_],
     [_,_,_,_,_,_,_,_],
     [_,_,_,o,x,_,_,_],
     [_,_,_,x,o,_,_,_],
     [_,_,_,_,_,_,_,_],
     [_,_,_,_,_,_,_,_],
     [_,_,_,_,_,_,_,_]]).
initial_state(six,
    [[_,_,_,_,_,_],
     [_,_,_,_,_,_],
     [_,_,o,x,_,_],
     [_,_,x,o,_,_],
     [_,_,_,_,_,_],
     [_,_,_,_,_,_]]).
initial_state(four,
    [[_,_,_,_],
     [_,o,x,_],
     [_,x,o,_],
     [_,_,_,_]]).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, [R,C], S1, S2) :-
    enclosed(J, [R,C], S1, Enclosed),
    foldl(put(J), [[R,C]|Enclosed], S1, S2).
move(J, pass, S, S) :-
    \+ enclosed(J, _, S, _).

% put(J, Square, S1, S2): S2 is S1 with a disc of J on the square.
put(J, [R,C], S1, S2) :-
    nth1(R, S1, Row1, Rows),
    nth1(C, Row1, _, Discs),
    nth1(C, Row2, J, Discs),
    nth1(R, S2, Row2, Rows).

% enclosed(J, [R,C], S, Squares): J, on the empty square [R,C], encloses those Squares.
enclosed(J, [R,C], S, Squares) :-
    nth1(R, S, Row),
    nth1(C, Row, Empty),
    var(Empty),
    findall(Line, ( direction(D), line(J, [R,C], D, S, Line) ), Lines),
    append(Lines, Squares),
    Squares \== [].

direction([-1,-1]).   direction([-1,0]).   direction([-1,1]).
direction([ 0,-1]).                        direction([ 0,1]).
direction([ 1,-1]).   direction([ 1,0]).   direction([ 1,1]).

% line(J, Square, Direction, S, Squares): from Square on in that direction, there are
% first those Squares of the opponent and then one of J.
line(J, [R1,C1], [DR,DC], S, Line) :-
    R2 is R1 + DR,
    C2 is C1 + DC,
    disc([R2,C2], S, Disc),
    (   Disc == J
    ->  Line = []
    ;   Line = [[R2,C2]|Squares],
        line(J, [R2,C2], [DR,DC], S, Squares)
    ).

% disc([R,C], S, Disc): it lies on that square; none does beside the board.
disc([R,C], S, Disc) :-
    nth1(R, S, Row),
    nth1(C, Row, Disc),
    nonvar(Disc).

terminal(_, S) :-
    \+ enclosed(x, _, S, _),
    \+ enclosed(o, _, S, _).

utility(J, S, U) :-
    opponent(J, A),
    discs(J, S, Own),
    discs(A, S, Others),
    U is Own - Others.

discs(J, S, N) :-
    findall(x, ( member(Row, S), member(Disc, Row), Disc == J ), Discs),
    length(Discs, N).

% The places where J could put a disc, less those of the opponent.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    opponent(J, A),
    places(J, S, Own),
    places(A, S, Others),
    H is Own - Others.

places(J, S, N) :-
    findall(x, enclosed(J, _, S, _), Places),
    length(Places, N).

print_state(S) :-
    forall(member(Row, S), print_row(Row)).

print_row(Row) :-
    forall(member(Square, Row), ( write(' '), print_square(Square) )), nl.

print_square(Square) :- var(Square), !, write('.').
print_square(J) :- write(J).

% The same in pictures: x has the black discs.
draw_state(S, Rows) :-
    findall(Row, ( member(Line, S), draw_row(Line, Row) ), Rows).

draw_row(Line, Row) :-
    findall(cell('', Looks), ( member(Square, Line), draw_square(Square, Looks) ), Row).

draw_square(Square, [fill(green)]) :- var(Square), !.
draw_square(x, [fill(green), disc(black)]).
draw_square(o, [fill(green), disc(white)]).
