% The fifteen-puzzle: the taquin on four by four squares.
%
% The goal has the empty square first, as in the hundred instances on which
% iterative-deepening A* was shown: R. E. Korf, "Depth-first iterative-deepening:
% an optimal admissible tree search", Artificial Intelligence 27 (1985).  Ten
% million million positions can be reached, so that A* runs out of memory where
% IDA* doesn't.
%
% Instances and their shortest solutions:
%
%     easy1   1 move      easy10  10 moves     easy20  20 moves
%     easy30 30 moves     k12     45 moves     k9      46 moves
%     k1     57 moves     (k12, k9 and k1 are numbers 12, 9 and 1 of the hundred)
%
% Things to try: solve k12 by IDA*, then by A* with a limit on memory; weigh the
% heuristic and see how much longer the solutions get.

initial_state(easy1,  [[1,b,2,3],[4,5,6,7],[8,9,10,11],[12,13,14,15]]).
initial_state(easy10, [[4,1,b,3],[5,6,2,7],[13,9,10,11],[8,12,14,15]]).
initial_state(easy20, [[b,2,5,3],[4,7,6,11],[8,1,10,15],[12,9,13,14]]).
initial_state(easy30, [[1,2,3,9],[8,4,11,b],[12,10,15,6],[13,7,5,14]]).
initial_state(k12,    [[14,1,9,6],[4,8,12,5],[7,2,3,b],[10,11,13,15]]).
initial_state(k9,     [[3,14,9,11],[5,4,8,2],[13,12,6,7],[10,1,15,b]]).
initial_state(k1,     [[14,13,15,7],[11,12,9,5],[6,b,2,1],[4,8,10,3]]).

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

% The distance of each tile from its place, in rows and columns.  Tile T belongs
% in row T // 4 and column T mod 4, both counted from 0.

heuristic(manhattan, State, H) :-
    findall(D, distance_of_tile(State, D), Ds),
    sum_list(Ds, H).
heuristic(misplaced, State, H) :-
    findall(Tile, misplaced(State, Tile), Tiles),
    length(Tiles, H).

distance_of_tile(State, D) :-
    at(Row, Column, Tile, State),
    D is abs(Row - Tile // 4) + abs(Column - Tile mod 4).

misplaced(State, Tile) :-
    at(Row, Column, Tile, State),
    Tile =\= 4 * Row + Column.

% at(Row, Column, Tile, State): the numbered Tile lies there.
at(Row, Column, Tile, State) :-
    nth0(Row, State, Tiles),
    nth0(Column, Tiles, Tile),
    Tile \== b.

print_state(State) :-
    forall(member(Row, State),
           ( forall(member(Tile, Row), print_tile(Tile)), nl )).

print_tile(b) :- !, write('  .').
print_tile(Tile) :- Tile < 10, !, write('  '), write(Tile).
print_tile(Tile) :- write(' '), write(Tile).

% The same in pictures.
draw_state(State, Rows) :-
    findall(Row, ( member(Tiles, State), draw_row(Tiles, Row) ), Rows).

draw_row(Tiles, Row) :-
    findall(Square, ( member(Tile, Tiles), draw_tile(Tile, Square) ), Row).

draw_tile(b, '') :- !.
draw_tile(Tile, cell(Tile, [fill('#f0d9b5')])).
