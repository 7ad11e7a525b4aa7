% The taquin, or eight-puzzle.
%
% Eight tiles lie in a frame of three by three squares; one square is empty.  A
% tile beside the empty square can slide into it.  From a jumble, reach
%
%     a b c
%     h   d
%     g f e
%
% A state is the list of its rows, and the empty square is the tile `vide`.
% The moves are named after where the empty square goes.
%
% Instances and their shortest solutions:
%
%     five     5 moves        two       2 moves        ten     10 moves
%     twenty  20 moves        thirty   30 moves        odd     none: an odd
%                                                      permutation of the goal
%
% Things to try: compare the heuristics `manhattan` and `misplaced` on `thirty`;
% look at all positions, 181,440 of them, in the order of their distance; ask
% why `odd` has no solution.

initial_state(five,   [[b,h,c],[a,f,d],[g,vide,e]]).
initial_state(two,    [[a,b,c],[g,h,d],[vide,f,e]]).
initial_state(ten,    [[b,c,d],[a,vide,g],[f,h,e]]).
initial_state(twenty, [[f,g,a],[h,vide,b],[d,c,e]]).
initial_state(thirty, [[e,f,g],[d,vide,h],[c,b,a]]).
initial_state(odd,    [[a,b,c],[g,vide,d],[h,f,e]]).

final_state([[a,b,c],
             [h,vide,d],
             [g,f,e]]).

% Moves.  In a row, the empty square changes places with its neighbour; in a
% column too, for a column is a row of the transposed board.

rule(up,    1, S1, S2) :- exchange_in_column(_, vide, S1, S2).
rule(down,  1, S1, S2) :- exchange_in_column(vide, _, S1, S2).
rule(left,  1, S1, S2) :- exchange_in_row(_, vide, S1, S2).
rule(right, 1, S1, S2) :- exchange_in_row(vide, _, S1, S2).

% exchange_in_row(X, Y, S1, S2): S2 is S1 with the tiles X and Y, which stand
% side by side in one row, the other way round.
exchange_in_row(X, Y, S1, S2) :-
    append(Above, [Row1|Below], S1),
    exchange(X, Y, Row1, Row2),
    append(Above, [Row2|Below], S2).

exchange_in_column(X, Y, S1, S2) :-
    transpose(S1, T1),
    exchange_in_row(X, Y, T1, T2),
    transpose(T2, S2).

exchange(X, Y, [X,Y|Tiles], [Y,X|Tiles]).
exchange(X, Y, [Z|Tiles1], [Z|Tiles2]) :-
    exchange(X, Y, Tiles1, Tiles2).

% transpose(Rows, Columns)
transpose([[]|_], []).
transpose([[X|Xs]|Rows], [[X|Ys]|Columns]) :-
    heads_and_tails(Rows, Ys, Tails),
    transpose([Xs|Tails], Columns).

heads_and_tails([], [], []).
heads_and_tails([[X|Xs]|Rows], [X|Ys], [Xs|Tails]) :-
    heads_and_tails(Rows, Ys, Tails).

% Estimates of the moves that are left.  Neither ever says too much: each tile
% out of place needs a move at least, and its distance in rows and columns at
% least.  The second one is the better one; it comes first and so is the default.

heuristic(manhattan, State, H) :-
    final_state(Final),
    findall(D, distance_of_tile(State, Final, D), Ds),
    sum_list(Ds, H).
heuristic(misplaced, State, H) :-
    final_state(Final),
    findall(Tile, misplaced(State, Final, Tile), Tiles),
    length(Tiles, H).

distance_of_tile(State, Final, D) :-
    at(Row1, Column1, Tile, State),
    Tile \== vide,
    at(Row2, Column2, Tile, Final),
    D is abs(Row1 - Row2) + abs(Column1 - Column2).

misplaced(State, Final, Tile) :-
    at(Row, Column, Tile, State),
    Tile \== vide,
    \+ at(Row, Column, Tile, Final).

% at(Row, Column, Tile, State): Tile lies there in State.
at(Row, Column, Tile, State) :-
    nth1(Row, State, Tiles),
    nth1(Column, Tiles, Tile).

% Drawing.

print_state(State) :-
    print_border,
    forall(member(Row, State), ( print_row(Row), print_border )).

print_border :-
    write('+---+---+---+'), nl.

print_row(Row) :-
    forall(member(Tile, Row), ( write('| '), print_tile(Tile), write(' ') )),
    write('|'), nl.

print_tile(vide) :- !, write(' ').
print_tile(Tile) :- write(Tile).
