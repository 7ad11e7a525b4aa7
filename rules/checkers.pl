% Checkers, or English draughts.
%
% The two players have twelve men each on the dark squares of a board of 8 x 8.  A man steps
% one square forward, diagonally.  If a hostile piece is there and the square behind it
% is empty, he jumps over it and takes it, and goes on jumping with the same man as long
% as he can.  Who can jump must jump.  A man that reaches the far side becomes a king,
% which ends his move; kings step and jump backward too.  Who can't move loses.
%
% A state is the list of the rows of the board: `b` and `w` are men, `bk` and `wk` kings, and
% `-` is an empty square.  Black begins, at the top.  A move is the list of the squares
% of its piece, each [Row,Column].
%
% Lines of play by their length from the start: 7, 49, 302, 1469, 7361, 36768, 179740.
%
% With best play checkers is a draw (J. Schaeffer and others, 2007).  Play can go on for
% ever.  `ending` is small: one king against one, and there is a way to draw.
%
% Things to try: draughts on 10 x 10, where kings fly and men jump backward too.

initial_state(start,
    [[-,b,-,b,-,b,-,b],
     [b,-,b,-,b,-,b,-],
     [-,b,-,b,-,b,-,b],
     [-,-,-,-,-,-,-,-],
     [-,-,-,-,-,-,-,-],
     [w,-,w,-,w,-,w,-],
     [-,w,-,w,-,w,-,w],
     [w,-,w,-,w,-,w,-]]).
initial_state(ending,
    [[-,-,-,-],
     [bk,-,-,-],
     [-,-,-,-],
     [wk,-,-,-]]).

initial_player(b).

opponent(b, w).
opponent(w, b).

% of(J, Piece): the piece belongs to J.
of(b, b).
of(b, bk).
of(w, w).
of(w, wk).

% direction(Piece, DR, DC): it may go that way.
direction(Piece, DR, DC) :-
    up_or_down(Piece, DR),
    member(DC, [-1,1]).

up_or_down(b, 1).
up_or_down(w, -1).
up_or_down(bk, DR) :- member(DR, [1,-1]).
up_or_down(wk, DR) :- member(DR, [1,-1]).

move(J, Move, S1, S2) :-
    (   can_jump(J, S1)
    ->  of(J, Piece),
        square([R,C], S1, Piece),
        jumps(J, Piece, [R,C], Path, S1, S2),
        Move = [[R,C]|Path]
    ;   step(J, Move, S1, S2)
    ).

can_jump(J, S) :-
    of(J, Piece),
    square(Square, S, Piece),
    jump(J, Piece, Square, _, S, _), !.

step(J, [[R1,C1],[R2,C2]], S1, S3) :-
    of(J, Piece),
    square([R1,C1], S1, Piece),
    direction(Piece, DR, DC),
    R2 is R1 + DR,
    C2 is C1 + DC,
    square([R2,C2], S1, -),
    crowned(Piece, R2, S1, Piece2),
    put([R1,C1], -, S1, S2),
    put([R2,C2], Piece2, S2, S3).

% jump(J, Piece, From, To, S1, S2): it takes one piece and is not crowned yet.
jump(J, Piece, [R1,C1], [R3,C3], S1, S4) :-
    opponent(J, A),
    direction(Piece, DR, DC),
    R2 is R1 + DR,
    C2 is C1 + DC,
    square([R2,C2], S1, Hostile),
    of(A, Hostile),
    R3 is R2 + DR,
    C3 is C2 + DC,
    square([R3,C3], S1, -),
    put([R1,C1], -, S1, S2),
    put([R2,C2], -, S2, S3),
    put([R3,C3], Piece, S3, S4).

% jumps(J, Piece, From, Squares, S1, S3): it jumps as far as it can, by those Squares.
jumps(J, Piece, From, [To|Path], S1, S4) :-
    jump(J, Piece, From, To, S1, S2),
    To = [R,_],
    crowned(Piece, R, S2, Piece2),
    (   Piece2 \== Piece
    ->  Path = [],
        put(To, Piece2, S2, S4)
    ;   jump(J, Piece, To, _, S2, _)
    ->  jumps(J, Piece, To, Path, S2, S4)
    ;   Path = [],
        S4 = S2
    ).

% crowned(Piece1, R, S, Piece2): what the piece is on row R.
crowned(w, 1, _, wk) :- !.
crowned(b, R, S, bk) :- length(S, R), !.
crowned(Piece, _, _, Piece).

square([R,C], S, Piece) :-
    nth1(R, S, Row),
    nth1(C, Row, Piece).

put([R,C], Piece, S1, S2) :-
    nth1(R, S1, Row1, Rows),
    nth1(C, Row1, _, Squares),
    nth1(C, Row2, Piece, Squares),
    nth1(R, S2, Row2, Rows).

terminal(J, S) :-
    \+ can_jump(J, S),
    \+ step(J, _, S, _).

% Who is to move has lost.
utility(_, _, -100).

% Men count 2 and kings 3.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    opponent(J, A),
    worth(J, S, Own),
    worth(A, S, Others),
    H is Own - Others.

worth(J, S, Sum) :-
    findall(V, ( member(Row, S), member(Piece, Row), value(J, Piece, V) ), Vs),
    sum_list(Vs, Sum).

value(b, b, 2).
value(b, bk, 3).
value(w, w, 2).
value(w, wk, 3).

print_state(S) :-
    forall(member(Row, S), print_row(Row)).

print_row(Row) :-
    forall(member(Square, Row), ( write(' '), print_square(Square) )), nl.

print_square(-)  :- write('.').
print_square(b)  :- write(b).
print_square(w)  :- write(w).
print_square(bk) :- write('B').
print_square(wk) :- write('W').

% The same in pictures: a board of two shades.
draw_state(S, Rows) :-
    findall(Row, ( nth1(R, S, Squares), draw_row(R, Squares, Row) ), Rows).

draw_row(R, Squares, Row) :-
    findall(cell(Text, [fill(Shade)|Disc]),
            ( nth1(C, Squares, Square), shade(R, C, Shade), draw_square(Square, Text, Disc) ),
            Row).

shade(R, C, '#f0d9b5') :- (R + C) mod 2 =:= 0, !.
shade(_, _, '#b58863').

draw_square(-,  '', []).
draw_square(b,  '', [disc(black)]).
draw_square(w,  '', [disc(white)]).
draw_square(bk, 'K', [disc(black)]).
draw_square(wk, 'K', [disc(white)]).
