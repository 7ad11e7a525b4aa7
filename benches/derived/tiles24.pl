% The 24-puzzle, from starts at random.

initial_state(i0, [[12,11,3,14,5],[21,2,22,b,7],[15,1,18,8,9],[16,24,4,13,10],[17,6,19,20,23]]).
initial_state(i1, [[7,1,8,11,20],[21,5,19,14,17],[4,3,b,22,23],[15,6,2,18,24],[12,13,9,10,16]]).
initial_state(i2, [[21,3,22,4,14],[11,23,9,2,6],[7,1,b,10,8],[20,5,13,16,19],[18,24,17,15,12]]).
final_state([[b,1,2,3,4],[5,6,7,8,9],[10,11,12,13,14],[15,16,17,18,19],[20,21,22,23,24]]).

% Moves are named after where the empty square goes.

rule(up,    1, S1, S2) :- slide_in_column(_, b, S1, S2).
rule(down,  1, S1, S2) :- slide_in_column(b, _, S1, S2).
rule(left,  1, S1, S2) :- slide_in_row(_, b, S1, S2).
rule(right, 1, S1, S2) :- slide_in_row(b, _, S1, S2).

slide_in_row(X, Y, [Row1|Rows], [Row2|Rows]) :-
    swap_neighbours(X, Y, Row1, Row2).
slide_in_row(X, Y, [Row|Rows1], [Row|Rows2]) :-
    slide_in_row(X, Y, Rows1, Rows2).

swap_neighbours(X, Y, [X,Y|Tiles], [Y,X|Tiles]).
swap_neighbours(X, Y, [Z|Tiles1], [Z|Tiles2]) :-
    swap_neighbours(X, Y, Tiles1, Tiles2).

% Two rows, one above the other, change a tile in the same column.
slide_in_column(X, Y, [Row1,Row2|Rows], [Row3,Row4|Rows]) :-
    swap_between(X, Y, Row1, Row2, Row3, Row4).
slide_in_column(X, Y, [Row|Rows1], [Row|Rows2]) :-
    slide_in_column(X, Y, Rows1, Rows2).

swap_between(X, Y, [X|As], [Y|Bs], [Y|As], [X|Bs]).
swap_between(X, Y, [A|As], [B|Bs], [A|Cs], [B|Ds]) :-
    swap_between(X, Y, As, Bs, Cs, Ds).
