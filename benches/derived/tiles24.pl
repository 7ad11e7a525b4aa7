% The 24-puzzle, from the ends of walks at random of 120, 140 and 160 moves.

initial_state(w0, [[11,21,b,6,3],[5,1,9,2,4],[8,18,7,14,13],[16,17,20,12,19],[22,10,15,23,24]]).
initial_state(w1, [[11,16,1,8,13],[3,b,6,18,2],[21,10,5,23,4],[12,7,9,24,19],[20,15,17,22,14]]).
initial_state(w2, [[5,1,6,3,22],[8,10,18,9,4],[15,21,17,11,b],[7,16,13,2,12],[23,20,19,24,14]]).
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
