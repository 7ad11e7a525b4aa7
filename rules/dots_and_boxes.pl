% Dots and boxes (E. Lucas, 1889, "La pipopipette").
%
% Two players, a and b, in turn draw a line between two dots that are next to each
% other.  Who draws the fourth line of a box owns the box and must draw again.  The
% worth of the end is the difference of the boxes.
%
% A state is dots(Player, Lines, Score).  Player is the one to draw; the other one can
% only `pass`.  Lines are the rows of the picture, those of the lines that lie and those
% of the lines that stand in turn: an unbound variable is a line not yet drawn.  Score
% is a list of Player-Boxes.  A move is named after its line, [Row,Place].
%
% Worth for a, who begins, by the boxes:
%
%     1 x 1  -1      1 x 2   0      1 x 3  -1
%     2 x 2   2      2 x 3  -2      3 x 3  -3
%
% Things to try: which first lines keep the worth on the board of two by two?  What is
% the game worth if a box gives no second turn?

boxes(2, 2).            % rows and columns of boxes

initial_state(dots(a, Lines, [a-0,b-0])) :-
    boxes(Rows, Columns),
    N is 2 * Rows + 1,
    numlist(1, N, Is),
    maplist(empty_row(Columns), Is, Lines).

empty_row(Columns, I, Row) :-
    N is Columns + (I + 1) mod 2,
    length(Row, N).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(J, [R,P], dots(J, Lines1, Score1), dots(Next, Lines2, Score2)) :-
    nth1(R, Lines1, Row1, Rows),
    nth1(P, Row1, Line, Places),
    var(Line),
    nth1(P, Row2, drawn, Places),
    nth1(R, Lines2, Row2, Rows),
    closed(Lines1, Before),
    closed(Lines2, After),
    Boxes is After - Before,
    next(Boxes, J, Next),
    select(J-N1, Score1, J-N2, Score2),
    N2 is N1 + Boxes.
move(J, pass, dots(A, Lines, Score), dots(A, Lines, Score)) :-
    J \== A.

next(0, J, A) :- !, opponent(J, A).
next(_, J, J).

% closed(Lines, N): N boxes have their four lines.
closed(Lines, N) :-
    findall(x, ( box(Lines, Box), ground(Box) ), Closed),
    length(Closed, N).

% box(Lines, Box): the four lines of a box.
box([Upper,Middle,Lower|_], Box) :-
    box_in_row(Upper, Middle, Lower, Box).
box([_,_|Lines], Box) :-
    box(Lines, Box).

box_in_row([Top|_], [Left,Right|_], [Bottom|_], [Top,Left,Right,Bottom]).
box_in_row([_|Upper], [_|Middle], [_|Lower], Box) :-
    box_in_row(Upper, Middle, Lower, Box).

terminal(_, dots(_, Lines, _)) :-
    ground(Lines).

utility(J, dots(_, _, Score), U) :-
    opponent(J, A),
    member(J-Own, Score),
    member(A-Others, Score), !,
    U is Own - Others.

heuristic(J, S, H) :- utility(J, S, H).

print_state(dots(J, Lines, Score)) :-
    print_rows(Lines),
    forall(member(A-N, Score), ( write(A), write(' has '), write(N), write(', ') )),
    write(J), write(' draws'), nl.

print_rows([Row]) :-
    print_lying(Row).
print_rows([Row1,Row2|Rows]) :-
    print_lying(Row1),
    print_standing(Row2),
    print_rows(Rows).

print_lying(Row) :-
    forall(member(Line, Row), ( write('+'), print_line(Line, '---', '   ') )),
    write('+'), nl.

print_standing(Row) :-
    forall(member(Line, Row), ( print_line(Line, '|', ' '), write('   ') )), nl.

print_line(Line, _, Gap) :- var(Line), !, write(Gap).
print_line(_, Sign, _) :- write(Sign).
