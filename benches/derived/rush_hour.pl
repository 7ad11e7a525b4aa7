% Rush Hour (N. Yoshigahara, 1996): the hardest board without walls (M. Fogleman, 2018).
%
% A state is a list of Vehicle-Place: the column of the left end if it stands across, the row of the upper end if it
% stands upright.

% vehicle(Name, Stands, Lane, Length, Place): it stands in that row, or column, at first in that place.
vehicle(x, across,  3, 2, 4).
vehicle(a, across,  1, 2, 2).
vehicle(b, across,  4, 3, 1).
vehicle(c, across,  5, 2, 5).
vehicle(d, across,  6, 2, 1).
vehicle(e, across,  6, 2, 4).
vehicle(f, upright, 1, 3, 1).
vehicle(g, upright, 2, 2, 2).
vehicle(h, upright, 3, 2, 2).
vehicle(i, upright, 3, 2, 5).
vehicle(j, upright, 4, 2, 4).
vehicle(k, upright, 5, 2, 1).
vehicle(l, upright, 6, 3, 2).

initial_state(Places) :- findall(V-Place, vehicle(V, _, _, _, Place), Places).

final_state(Places) :- memberchk(x-5, Places).

rule(drive(V, Way), 1, Places1, Places2) :-
    select(V-Place1, Places1, V-Place2, Places2),
    vehicle(V, Stands, Lane, Length, _),
    drive(Way, Length, Place1, Place2, Ahead),
    between(1, 6, Ahead),
    square(Stands, Lane, Ahead, Square),
    \+ taken(Square, Places1).

% drive(Way, Length, Place1, Place2, Ahead): from Place1 to Place2, to where Ahead must be free.
drive(on, Length, Place1, Place2, Ahead) :- Place2 is Place1 + 1, Ahead is Place1 + Length.
drive(back, _, Place1, Place2, Place2) :- Place2 is Place1 - 1.

square(across,  Row, Column, Row-Column).
square(upright, Column, Row, Row-Column).

taken(Square, Places) :-
    member(V-Place, Places),
    vehicle(V, Stands, Lane, Length, _),
    square(Stands, Lane, P, Square),
    P >= Place,
    P < Place + Length.
