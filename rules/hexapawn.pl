% Hexapawn (M. Gardner, 1962), the game that a few boxes of matches learnt to play.
%
% White and black pawns face each other across the board.  As in chess, a pawn steps
% forward to an empty square, or takes a hostile pawn diagonally forward.  Who brings
% a pawn to the far side wins; who can't move when it is his turn loses.
%
% A state is the list of the rows of the board: `w`, `b`, and `-` where it is empty.
% White goes up the page.  A move is named after its squares, From-To, and a square
% is [Row,Column].
%
% Winner with best play, by the width and height of the board:
%
%     3 x 3  black     3 x 4  black     3 x 5  white
%     4 x 3  white     4 x 4  white     4 x 5  black
%     5 x 3  white     5 x 4  black
%
% Things to try: other boards; let him who can't move win, or make that a draw.

width(3).
height(3).

initial_state(S) :-
    width(W),
    height(H),
    copies(W, b, Blacks),
    copies(W, w, Whites),
    copies(W, -, Row),
    Between is H - 2,
    copies(Between, Row, Rows),
    append([Blacks|Rows], [Whites], S).

% copies(N, X, Xs): Xs is N times X.
copies(N, X, Xs) :-
    length(Xs, N),
    maplist(=(X), Xs).

initial_player(w).

opponent(w, b).
opponent(b, w).

move(J, [R1,C1]-[R2,C2], S1, S3) :-
    replace([R1,C1], J, -, S1, S2),
    forward(J, R1, R2),
    replace([R2,C2], Target, J, S2, S3),
    goes(J, C1, C2, Target).

forward(w, R1, R2) :- R2 is R1 - 1.
forward(b, R1, R2) :- R2 is R1 + 1.

% goes(J, C1, C2, Target): a pawn of J may go from column C1 to a Target in C2.
goes(_, C, C, -).
goes(J, C1, C2, A) :-
    opponent(J, A),
    1 is abs(C1 - C2).

% replace([R,C], X, Y, S1, S2): S2 is S1 with Y in place of X on the square [R,C].
replace([R,C], X, Y, S1, S2) :-
    nth1(R, S1, Row1, Rows),
    nth1(C, Row1, X, Squares),
    nth1(C, Row2, Y, Squares),
    nth1(R, S2, Row2, Rows).

% through(J, S): a pawn of J is on the far side.
through(w, [Row|_]) :- memberchk(w, Row).
through(b, Rows) :- last(Rows, Row), memberchk(b, Row).

terminal(_, S) :- through(_, S), !.
terminal(J, S) :- \+ move(J, _, S, _).

% If no pawn is through, J is to move and can't.
utility(J, S, U) :-
    (   through(J, S)
    ->  U = 100
    ;   U = -100
    ).

% The pawns of J less those of the opponent.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    opponent(J, A),
    pawns(J, S, Own),
    pawns(A, S, Others),
    H is Own - Others.

pawns(J, S, N) :-
    findall(x, ( member(Row, S), member(J, Row) ), Pawns),
    length(Pawns, N).

print_state(S) :-
    forall(member(Row, S), print_row(Row)).

print_row(Row) :-
    forall(member(Square, Row), ( write(' '), print_square(Square) )), nl.

print_square(-) :- !, write('.').
print_square(J) :- write(J).

% The same in pictures: a board of two shades.
draw_state(S, Rows) :-
    findall(Row, ( nth1(R, S, Squares), draw_row(R, Squares, Row) ), Rows).

draw_row(R, Squares, Row) :-
    findall(cell(Text, [fill(Shade)|Disc]),
            ( nth1(C, Squares, Square), shade(R, C, Shade), draw_square(Square, Text, Disc) ),
            Row).

shade(R, C, '#f0d9b5') :- (R + C) mod 2 =:= 0, !.
shade(_, _, '#b58863').

draw_square(-, '', []).
draw_square(w, '', [disc(white)]).
draw_square(b, '', [disc(black)]).
