% A puzzle: the shortest way through a small maze.
%
% It runs as it is.  Change it piece by piece into a puzzle of your own, and after
% each change look at what became of it:
%
%     zug check puzzle.pl     looks for mistakes
%     zug solve puzzle.pl     solves it
%     zug test puzzle.pl      runs the tests at the end
%     zug puzzle.pl           answers questions, as  rule(Move, Cost, at(1,1), S).
%
% How to read it: names begin with a small letter, variables with a capital; _ is a
% variable that is of no interest.  :- means "if", a comma "and", \+ "not".  What
% ends with a full stop is a clause.


% --- 1. States ---------------------------------------------------------------
%
% A state is one term that holds all that moves can change.  Here it is at(X, Y):
% the square, by column and row.  What never changes is better kept in facts.

columns(5).
rows(4).

wall(2, 1).
wall(2, 2).
wall(4, 2).
wall(4, 3).
wall(2, 4).


% --- 2. The start: initial_state(S), or initial_state(Name, S) for each of several

initial_state(corner, at(1, 1)).
initial_state(middle, at(3, 2)).


% --- 3. The goal: final_state(S) is true of a state that solves it -------------

final_state(at(5, 1)).


% --- 4. The moves: rule(Name, Cost, S1, S2) ------------------------------------
%
% The move Name leads from the state S1 to S2 and costs Cost, a number of 0 or more.
% One clause may stand for many moves: each of its answers is one.

rule(Direction, 1, at(X1, Y1), at(X2, Y2)) :-
    step(Direction, DX, DY),
    X2 is X1 + DX,              % `is` calculates; `=` would leave the sum as it stands
    Y2 is Y1 + DY,
    inside(X2, Y2),
    \+ wall(X2, Y2).

% step(Direction, DX, DY): what a step changes.
step(left, -1,  0).
step(right, 1,  0).
step(up,    0, -1).
step(down,  0,  1).

inside(X, Y) :-
    columns(Columns), between(1, Columns, X),
    rows(Rows), between(1, Rows, Y).


% --- 5. A heuristic, if you know one: heuristic(S, H) ---------------------------
%
% H estimates what is still to be paid.  If it is never too high, A* finds a cheapest
% plan, and looks at fewer states than without.  `zug heuristics puzzle.pl` tries that.
% Here: the way without walls.

heuristic(at(X, Y), H) :-
    final_state(at(GoalX, GoalY)),
    H is abs(GoalX - X) + abs(GoalY - Y).


% --- 6. A picture: print_state(S) writes a state --------------------------------

print_state(S) :-
    rows(Rows),
    forall(between(1, Rows, Y), print_row(S, Y)).

print_row(S, Y) :-
    columns(Columns),
    forall(between(1, Columns, X), print_square(S, X, Y)),
    nl.

print_square(at(X, Y), X, Y) :- !, write(' @').
print_square(_, X, Y) :- wall(X, Y), !, write(' #').
print_square(_, X, Y) :- final_state(at(X, Y)), !, write(' *').
print_square(_, _, _) :- write(' .').


% --- 7. Tests: what must stay true while you change things ----------------------

:- begin_tests(maze).

test(moves_from_the_corner, all(Move == [down])) :-
    rule(Move, _, at(1, 1), _).

test(no_way_through_a_wall, fail) :-
    rule(_, _, at(1, 1), at(2, 1)).

test(shortest_way, Cost =:= 8) :-
    initial_state(corner, S),
    astar(S, _, Cost).

:- end_tests(maze).
