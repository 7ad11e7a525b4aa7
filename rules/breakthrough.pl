% Breakthrough (D. Troyka, 2000).
%
% White and black pawns stand in two rows each.  In turn a pawn goes one square forward,
% straight or diagonally, to an empty square; diagonally it may also take a hostile
% pawn.  Who brings a pawn to the far side wins, and so does who takes all pawns.  There
% is always a move: the pawn that is furthest ahead has one.
%
% A state is the list of the rows of the board: `w`, `b`, and `-` where it is empty.
% White goes up the page.  A move is named after its squares, From-To, and a square is
% [Row,Column].
%
% Instances (columns x rows), and who wins with best play:
%
%     tiny    2 x 5   black
%     small   3 x 5   black
%     four    4 x 4   black
%     five    5 x 5
%     eight   8 x 8   the real board
%
% Lines of play on the board of 8 x 8 by their length: 22, 484, 11132, 256036.
%
% Things to try: let `small` be solved; play `eight` against `mcts`; write a heuristic that
% knows a pawn that nobody can stop any more.

board(tiny,  2, 5).
board(small, 3, 5).
board(four,  4, 4).
board(five,  5, 5).
board(eight, 8, 8).

initial_state(Name, Rows) :-
    board(Name, Width, Height),
    row(Width, b, Black),
    row(Width, w, White),
    row(Width, -, Empty),
    Between is Height - 4,
    row(Between, Empty, Middle),
    append([[Black,Black],Middle,[White,White]], Rows).

% row(N, X, Xs): Xs is N times X.
row(0, _, []) :- !.
row(N, X, [X|Xs]) :-
    M is N - 1,
    row(M, X, Xs).

initial_player(w).

opponent(w, b).
opponent(b, w).

move(J, [R1,C1]-[R2,C2], S1, S3) :-
    nth1(R1, S1, Row),
    nth1(C1, Row, J),
    forward(J, R1, R2),
    beside(C1, C2),
    nth1(R2, S1, Ahead),
    nth1(C2, Ahead, Target),
    may_go(J, C1, C2, Target),
    put(R1, C1, -, S1, S2),
    put(R2, C2, J, S2, S3).

forward(w, R1, R2) :- R2 is R1 - 1.
forward(b, R1, R2) :- R2 is R1 + 1.

beside(C1, C2) :- C2 is C1 - 1.
beside(C, C).
beside(C1, C2) :- C2 is C1 + 1.

% may_go(J, C1, C2, Target): a pawn of J may go from column C1 to a Target in C2.
may_go(_, _, _, -).
may_go(J, C1, C2, Target) :-
    C1 =\= C2,
    opponent(J, Target).

% put(R, C, X, Rows1, Rows2): X stands on that square in Rows2.
put(1, C, X, [Row1|Rows], [Row2|Rows]) :- !,
    put(C, X, Row1, Row2).
put(R, C, X, [Row|Rows1], [Row|Rows2]) :-
    R1 is R - 1,
    put(R1, C, X, Rows1, Rows2).

put(1, X, [_|Row], [X|Row]) :- !.
put(C, X, [Y|Row1], [Y|Row2]) :-
    C1 is C - 1,
    put(C1, X, Row1, Row2).

% Only the player who has just moved can have won.
terminal(J, S) :- opponent(J, A), through(A, S), !.
terminal(J, S) :- \+ ( member(Row, S), member(J, Row) ).

through(w, [Row|_]) :- member(w, Row).
through(b, Rows) :- last(Rows, Row), member(b, Row).

% Who is to move has lost.
utility(_, _, -1).

% The pawns of J less those of the opponent.
heuristic(J, S, H) :-
    opponent(J, A),
    pawns(J, S, Own),
    pawns(A, S, Others),
    H is (Own - Others) / 100.

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
