% Sokoban (H. Imabayashi, 1981): a keeper pushes boxes onto places, one at a time.
%
% A state is at(Level, Keeper, Boxes): squares are Row-Column, boxes a sorted list of them.

% level(Name, Rows): # wall, . place, $ box, @ keeper, * box on its place.
level(four,
      [' #######',
       ' #     #',
       ' # .$. #',
       '## $@$ #',
       '#  .$. #',
       '#      #',
       '########']).
level(store,
      ['########',
       '#...   #',
       '#      #',
       '# $$$  #',
       '#   $@ #',
       '#.     #',
       '########']).
level(hall,
      ['#########',
       '#   #   #',
       '# $   $ #',
       '##  #  ##',
       '#.. @ ..#',
       '##  #  ##',
       '# $   $ #',
       '#   #   #',
       '#########']).

initial_state(Level, at(Level, Keeper, Boxes)) :-
    level(Level, _),
    drawn(Level, '@', Keeper),
    findall(Box, ( member(Sign, ['$','*']), drawn(Level, Sign, Box) ), Boxes0),
    msort(Boxes0, Boxes).

% drawn(Level, Sign, Square): the Sign is drawn there.
drawn(Level, Sign, Row-Column) :-
    level(Level, Rows),
    nth1(Row, Rows, Line),
    atom_chars(Line, Signs),
    nth1(Column, Signs, Sign).

place(Level, Square) :- drawn(Level, '.', Square).
place(Level, Square) :- drawn(Level, '*', Square).

final_state(at(Level, _, Boxes)) :-
    \+ ( member(Box, Boxes), \+ place(Level, Box) ).

rule(Way, 1, at(Level, Keeper1, Boxes1), at(Level, Keeper2, Boxes2)) :-
    next(Way, Keeper1, Keeper2),
    \+ drawn(Level, #, Keeper2),
    push(Way, Level, Keeper2, Boxes1, Boxes2).

push(_, _, Square, Boxes, Boxes) :-
    \+ member(Square, Boxes).
push(Way, Level, Square, Boxes1, Boxes2) :-
    select(Square, Boxes1, Others),
    next(Way, Square, Beyond),
    \+ drawn(Level, #, Beyond),
    \+ member(Beyond, Others),
    msort([Beyond|Others], Boxes2).

next(up,    Row1-Column, Row2-Column) :- Row2 is Row1 - 1.
next(down,  Row1-Column, Row2-Column) :- Row2 is Row1 + 1.
next(left,  Row-Column1, Row-Column2) :- Column2 is Column1 - 1.
next(right, Row-Column1, Row-Column2) :- Column2 is Column1 + 1.
