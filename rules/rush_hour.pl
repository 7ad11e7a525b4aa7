% Rush Hour (N. Yoshigahara, 1996).
%
% Cars and trucks stand on a square of 6 x 6 and drive forward and back, never aside.  The red
% car, x, wants to leave through the gap at the right end of the third row.  A move takes
% a vehicle one square on.
%
% A state is rush(Level, Places): Places is a list of Vehicle-Place, in the order in which the
% vehicles of the level are declared.  The place is the column of the left end if the
% vehicle stands across, and the row of the upper end if it stands upright.  A move is
% drive(Vehicle, Way).
%
% Instances, the moves of a shortest solution, and the states:
%
%     first     16    1,247     card 1 of the game
%     hardest   81    4,780     no board without walls needs more drives (M. Fogleman, 2018)
%     loose      5  114,878
%
% Things to try: count a drive of any length as one move; a heuristic that knows what
% stands between the red car and the gap.

% vehicle(Level, Name, Stands, Lane, Length, Place): it stands across in that row, or upright in
% that column, at first in that place.
vehicle(first, x, across,  3, 2, 2).
vehicle(first, a, across,  1, 2, 1).
vehicle(first, b, upright, 6, 3, 1).
vehicle(first, c, upright, 1, 3, 2).
vehicle(first, d, upright, 4, 3, 2).
vehicle(first, e, upright, 1, 2, 5).
vehicle(first, f, across,  5, 2, 5).
vehicle(first, g, across,  6, 3, 3).

vehicle(hardest, x, across,  3, 2, 4).
vehicle(hardest, a, across,  1, 2, 2).
vehicle(hardest, b, across,  4, 3, 1).
vehicle(hardest, c, across,  5, 2, 5).
vehicle(hardest, d, across,  6, 2, 1).
vehicle(hardest, e, across,  6, 2, 4).
vehicle(hardest, f, upright, 1, 3, 1).
vehicle(hardest, g, upright, 2, 2, 2).
vehicle(hardest, h, upright, 3, 2, 2).
vehicle(hardest, i, upright, 3, 2, 5).
vehicle(hardest, j, upright, 4, 2, 4).
vehicle(hardest, k, upright, 5, 2, 1).
vehicle(hardest, l, upright, 6, 3, 2).

vehicle(loose, x, across,  3, 2, 1).
vehicle(loose, a, upright, 1, 2, 5).
vehicle(loose, b, upright, 4, 2, 5).
vehicle(loose, c, across,  5, 2, 5).
vehicle(loose, d, across,  1, 2, 1).
vehicle(loose, e, across,  6, 2, 5).
vehicle(loose, f, upright, 6, 2, 2).
vehicle(loose, g, across,  4, 2, 1).
vehicle(loose, h, across,  2, 3, 1).

initial_state(Level, rush(Level, Places)) :-
    member(Level, [first,hardest,loose]),
    findall(V-Place, vehicle(Level, V, _, _, _, Place), Places).

final_state(rush(_, Places)) :-
    memberchk(x-5, Places).

rule(drive(V, Way), 1, rush(Level, Places1), rush(Level, Places2)) :-
    select(V-Place1, Places1, V-Place2, Places2),
    vehicle(Level, V, Stands, Lane, Length, _),
    drive(Way, Length, Place1, Place2, Ahead),
    between(1, 6, Ahead),
    square(Stands, Lane, Ahead, Square),
    \+ taken(Square, Level, Places1).

% drive(Way, Length, Place1, Place2, Ahead): from Place1 to Place2, to where Ahead must be free.
drive(on, Length, Place1, Place2, Ahead) :-
    Place2 is Place1 + 1,
    Ahead is Place1 + Length.
drive(back, _, Place1, Place2, Place2) :-
    Place2 is Place1 - 1.

% square(Stands, Lane, Place, [Row,Column]).
square(across,  Row, Column, [Row,Column]).
square(upright, Column, Row, [Row,Column]).

% taken(Square, Level, Places): a vehicle stands there.
taken(Square, Level, Places) :-
    member(V-Place, Places),
    vehicle(Level, V, Stands, Lane, Length, _),
    square(Stands, Lane, P, Square),
    P >= Place,
    P < Place + Length.

% The red car has so far to go.
heuristic(rush(_, Places), H) :-
    memberchk(x-Place, Places),
    H is 5 - Place.

print_state(rush(Level, Places)) :-
    forall(between(1, 6, R), print_row(R, Level, Places)).

print_row(R, Level, Places) :-
    forall(between(1, 6, C), ( write(' '), print_square([R,C], Level, Places) )), nl.

print_square(Square, Level, Places) :-
    member(V-Place, Places),
    taken(Square, Level, [V-Place]), !,
    write(V).
print_square(_, _, _) :-
    write('.').

% The same in pictures: the red car is x.
draw_state(rush(Level, Places), Rows) :-
    findall(Row, ( between(1, 6, R), draw_row(R, Level, Places, Row) ), Rows).

draw_row(R, Level, Places, Row) :-
    findall(Square, ( between(1, 6, C), draw_square([R,C], Level, Places, Square) ), Row).

draw_square(Square, Level, Places, cell(V, [fill(Colour)])) :-
    member(V-Place, Places),
    taken(Square, Level, [V-Place]), !,
    colour(V, Colour).
draw_square(_, _, _, '').

colour(x, red) :- !.
colour(V, Colour) :-
    char_code(V, Code),
    I is Code mod 6,
    nth0(I, [sky,yellow,green,purple,orange,grey], Colour).
