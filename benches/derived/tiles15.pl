% The 15-puzzle: the first twelve instances of R. Korf, Depth-first iterative-deepening, 1985.

initial_state(k1, [[14,13,15,7],[11,12,9,5],[6,b,2,1],[4,8,10,3]]).
initial_state(k2, [[13,5,4,10],[9,12,8,14],[2,3,7,1],[b,15,11,6]]).
initial_state(k3, [[14,7,8,2],[13,11,10,4],[9,12,5,b],[3,6,1,15]]).
initial_state(k4, [[5,12,10,7],[15,11,14,b],[8,2,1,13],[3,4,9,6]]).
initial_state(k5, [[4,7,14,13],[10,3,9,12],[11,5,6,15],[1,2,8,b]]).
initial_state(k6, [[14,7,1,9],[12,3,6,15],[8,11,2,5],[10,b,4,13]]).
initial_state(k7, [[2,11,15,5],[13,4,6,7],[12,8,10,1],[9,3,14,b]]).
initial_state(k8, [[12,11,15,3],[8,b,4,2],[6,13,9,5],[14,1,10,7]]).
initial_state(k9, [[3,14,9,11],[5,4,8,2],[13,12,6,7],[10,1,15,b]]).
initial_state(k10, [[13,11,8,9],[b,15,7,10],[4,3,6,14],[5,12,2,1]]).
initial_state(k11, [[5,9,13,14],[6,3,7,12],[10,8,4,b],[15,2,11,1]]).
initial_state(k12, [[14,1,9,6],[4,8,12,5],[7,2,3,b],[10,11,13,15]]).
final_state([[b,1,2,3],
             [4,5,6,7],
             [8,9,10,11],
             [12,13,14,15]]).

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
