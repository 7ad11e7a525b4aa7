% Peg solitaire (before 1697).
%
% On a board with holes, all but one have a peg.  A peg jumps over its neighbour, along
% a row or a column, into an empty hole, and the neighbour is taken away.  One peg
% shall be left, in the hole that was empty at the start.
%
% A state is peg(Name, Rows): Rows are those of the board, `o` a peg, `-` an empty hole, and a
% blank where there is no hole.  A move is From-To, each [Row,Column].
%
% Instances, and the jumps of a solution:
%
%     square    none           a board of 4 x 4
%     english   31 jumps       23,475,688 positions from its start
%
% Things to try: other boards, other empty holes; which of the 33 starts of the English board
% can be solved?

initial_state(Name, peg(Name, Rows)) :-
    start(Name, Rows).

% fmt: off
start(square,
    [[-,o,o,o],
     [o,o,o,o],
     [o,o,o,o],
     [o,o,o,o]]).
start(english,
    [[' ',' ',o,o,o,' ',' '],
     [' ',' ',o,o,o,' ',' '],
     [ o,  o, o,o,o, o,  o ],
     [ o,  o, o,-,o, o,  o ],
     [ o,  o, o,o,o, o,  o ],
     [' ',' ',o,o,o,' ',' '],
     [' ',' ',o,o,o,' ',' ']]).
% fmt: on

% One peg is left, where the hole was.
final_state(peg(Name, Rows)) :-
    findall(Square, hole(Rows, Square, o), [Square]),
    start(Name, Start),
    hole(Start, Square, -).

rule(From-To, 1, peg(Name, Rows1), peg(Name, Rows4)) :-
    hole(Rows1, From, o),
    direction(D),
    ahead(D, From, Over),
    hole(Rows1, Over, o),
    ahead(D, Over, To),
    hole(Rows1, To, -),
    put(From, -, Rows1, Rows2),
    put(Over, -, Rows2, Rows3),
    put(To, o, Rows3, Rows4).

direction(up).
direction(down).
direction(left).
direction(right).

ahead(up,    [R1,C], [R2,C]) :- R2 is R1 - 1.
ahead(down,  [R1,C], [R2,C]) :- R2 is R1 + 1.
ahead(left,  [R,C1], [R,C2]) :- C2 is C1 - 1.
ahead(right, [R,C1], [R,C2]) :- C2 is C1 + 1.

% hole(Rows, [R,C], X): X is there, a peg or none.
hole(Rows, [R,C], X) :-
    nth1(R, Rows, Row),
    nth1(C, Row, X).

% put([R,C], X, Rows1, Rows2): Rows2 has X there.
put([R,C], X, Rows1, Rows2) :-
    replace(R, Row1, Row2, Rows1, Rows2),
    replace(C, _, X, Row1, Row2).

% replace(I, X, Y, Xs, Ys): place I has X in Xs and Y in Ys.
replace(1, X, Y, [X|Xs], [Y|Xs]) :- !.
replace(I, X, Y, [Z|Xs], [Z|Ys]) :-
    I1 is I - 1,
    replace(I1, X, Y, Xs, Ys).

print_state(peg(_, Rows)) :-
    forall(member(Row, Rows), print_row(Row)).

print_row(Row) :-
    forall(member(X, Row), ( write(' '), print_hole(X) )), nl.

print_hole(-) :- !, write('.').
print_hole(X) :- write(X).

% The same in pictures.
draw_state(peg(_, Rows), Board) :-
    findall(Row, ( member(Holes, Rows), draw_row(Holes, Row) ), Board).

draw_row(Holes, Row) :-
    findall(Square, ( member(X, Holes), draw_hole(X, Square) ), Row).

draw_hole(' ', '').
draw_hole(-, cell('', [fill('#f0d9b5')])).
draw_hole(o, cell('', [fill('#f0d9b5'),disc(blue)])).
