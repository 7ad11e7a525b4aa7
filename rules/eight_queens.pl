% The eight queens, as a search.
%
% Put queens on a chessboard, column after column, so that none attacks another
% (M. Bezzel, 1848; F. Nauck gave all 92 solutions in 1850).  The sum of the moves
% is the same for every solution; what differs is how many dead ends a search
% runs into.
%
% A state is queens(N, Rows): a board of N columns, and the rows of the queens
% placed so far, the last one first.
%
% Instances:
%
%     four  4 moves     six  6 moves      eight  8 moves     twelve  12 moves
%     three  none
%
% Things to try: depth-first search likes this one, breadth-first search doesn't.

initial_state(eight,  queens(8, [])).
initial_state(three,  queens(3, [])).
initial_state(four,   queens(4, [])).
initial_state(six,    queens(6, [])).
initial_state(twelve, queens(12, [])).

final_state(queens(N, Rows)) :-
    length(Rows, N).

rule(place(Row), 1, queens(N, Rows), queens(N, [Row|Rows])) :-
    length(Rows, Placed),
    Placed < N,
    between(1, N, Row),
    no_attack(Rows, Row, 1).

% no_attack(Rows, Row, D): the queens in Rows, the first of them D columns away,
% attack nothing in Row.
no_attack([], _, _).
no_attack([Row1|Rows], Row, D) :-
    Row =\= Row1,
    abs(Row - Row1) =\= D,
    D1 is D + 1,
    no_attack(Rows, Row, D1).

% Each missing queen is a move.
heuristic(queens(N, Rows), H) :-
    length(Rows, Placed),
    H is N - Placed.

print_state(queens(N, Rows)) :-
    forall(between(1, N, Row), print_line(Row, N, Rows)).

print_line(Row, N, Rows) :-
    reverse(Rows, Columns),
    forall(between(1, N, Column), print_square(Row, Column, Columns)),
    nl.

print_square(Row, Column, Columns) :-
    nth1(Column, Columns, Row), !,
    write(' Q').
print_square(_, _, _) :-
    write(' .').

% The same in pictures.
draw_state(queens(N, Rows), Board) :-
    reverse(Rows, Columns),
    findall(Line, ( between(1, N, Row), draw_line(Row, N, Columns, Line) ), Board).

draw_line(Row, N, Columns, Line) :-
    findall(cell(Sign, [fill(Colour)]),
            ( between(1, N, Column),
              ( nth1(Column, Columns, Row) -> Sign = '♛' ; Sign = '' ),
              ( (Row + Column) mod 2 =:= 0 -> Colour = white ; Colour = sky ) ),
            Line).
