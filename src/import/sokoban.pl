% Levels of Sokoban.
%
% A keeper pushes boxes onto their places; he can't pull, and he can push only
% one at a time.  (H. Imabayashi, 1981.)
%
% A state is state(Level, Keeper, Boxes): where the keeper stands and the sorted
% list of where the boxes are; a square is Row-Column.  The walls and the places
% belong to the level and never change.  Each step of the keeper costs 1.

% level(Name, Rows): # wall, . place, $ box, @ keeper, * box on its place, + keeper on a place.
% LEVELS

initial_state(Level, state(Level, Keeper, Boxes)) :-
    level(Level, _),
    keeper(Level, Keeper),
    findall(Box, box(Level, Box), Boxes0),
    msort(Boxes0, Boxes).

keeper(Level, Keeper) :- square(Level, '@', Keeper).
keeper(Level, Keeper) :- square(Level, '+', Keeper).

box(Level, Box) :- square(Level, '$', Box).
box(Level, Box) :- square(Level, '*', Box).

place(Level, Place) :- square(Level, '.', Place).
place(Level, Place) :- square(Level, '*', Place).
place(Level, Place) :- square(Level, '+', Place).

% square(Level, Sign, Square): the Sign is drawn there.
square(Level, Sign, Row-Column) :-
    level(Level, Rows),
    nth1(Row, Rows, Line),
    atom_chars(Line, Signs),
    nth1(Column, Signs, Sign).

wall(Level, Row-Column) :-
    level(Level, Rows),
    nth1(Row, Rows, Line),
    sub_atom(Line, Before, 1, _, #),
    Column is Before + 1.

% Every box is on a place.
final_state(state(Level, _, Boxes)) :-
    \+ ( member(Box, Boxes), \+ place(Level, Box) ).

rule(Direction, 1, state(Level, Keeper1, Boxes1), state(Level, Keeper2, Boxes2)) :-
    next(Direction, Keeper1, Keeper2),
    \+ wall(Level, Keeper2),
    push(Direction, Level, Keeper2, Boxes1, Boxes2).

% What happens to the boxes when the keeper steps onto Square.
push(_, _, Square, Boxes, Boxes) :-
    \+ member(Square, Boxes).
push(Direction, Level, Square, Boxes1, Boxes2) :-
    select(Square, Boxes1, Others),
    next(Direction, Square, Beyond),
    \+ wall(Level, Beyond),
    \+ member(Beyond, Others),
    msort([Beyond|Others], Boxes2).

next(up,    Row1-Column, Row2-Column) :- Row2 is Row1 - 1.
next(down,  Row1-Column, Row2-Column) :- Row2 is Row1 + 1.
next(left,  Row-Column1, Row-Column2) :- Column2 is Column1 - 1.
next(right, Row-Column1, Row-Column2) :- Column2 is Column1 + 1.

% Each box must be pushed to a place, at least as far as the nearest one.
heuristic(state(Level, _, Boxes), H) :-
    findall(D, ( member(Box, Boxes), nearest_place(Level, Box, D) ), Ds),
    sum_list(Ds, H).

nearest_place(Level, Row1-Column1, Nearest) :-
    findall(D, ( place(Level, Row2-Column2),
                 D is abs(Row1 - Row2) + abs(Column1 - Column2) ), Ds),
    min_list(Ds, Nearest).

print_state(state(Level, Keeper, Boxes)) :-
    level(Level, Rows),
    forall(nth1(Row, Rows, Line), print_line(Row, Line, Level, Keeper, Boxes)).

print_line(Row, Line, Level, Keeper, Boxes) :-
    atom_chars(Line, Signs),
    forall(nth1(Column, Signs, Sign),
           ( sign(Sign, Row-Column, Level, Keeper, Boxes, Shown), write(Shown) )),
    nl.

sign(#, _, _, _, _, #) :- !.
sign(_, Square, Level, _, Boxes, *) :-
    member(Square, Boxes), place(Level, Square), !.
sign(_, Square, _, _, Boxes, $) :-
    member(Square, Boxes), !.
sign(_, Keeper, _, Keeper, _, @) :- !.
sign(_, Square, Level, _, _, '.') :-
    place(Level, Square), !.
sign(_, _, _, _, _, ' ').

% The same in pictures.
draw_state(state(Level, Keeper, Boxes), Rows) :-
    level(Level, Lines),
    findall(Row, ( nth1(R, Lines, Line), draw_line(R, Line, Level, Keeper, Boxes, Row) ), Rows).

draw_line(R, Line, Level, Keeper, Boxes, Row) :-
    atom_chars(Line, Signs),
    findall(Square,
            ( nth1(C, Signs, Sign),
              sign(Sign, R-C, Level, Keeper, Boxes, Shown), draw_sign(Shown, Square) ),
            Row).

draw_sign(#,   cell('', [fill(black)])) :- !.
draw_sign(*,   cell('', [fill(orange), disc(sky)])) :- !.
draw_sign($,   cell('', [fill(orange)])) :- !.
draw_sign(@,   cell(@,  [fill(white), disc(blue)])) :- !.
draw_sign('.', cell('', [fill(white), disc(sky)])) :- !.
draw_sign(_,   cell('', [fill(white)])).
