% Chomp (F. Schuh, 1952; D. Gale, 1974).
%
% A bar of chocolate, and its upper left square is poisoned.  Two players in turn
% break off a square together with all that lies below it and to the right of it.
% Who is left with the poisoned square alone has lost.
%
% The game is impartial: both players have the same moves, and who can't move has
% lost.  A state is the list of the lengths of the rows; none is longer than the one
% above it.
%
% Things to try: the first player always wins, for if the bite of the last square
% doesn't do it, the answer to it would have been a better first bite.  That doesn't
% say which bite wins: find it for some sizes.  In a bar of two rows, and in a square
% one, there is a rule.

rows(3).
columns(4).

initial_state(Bar) :-
    rows(R),
    columns(C),
    length(Bar, R),
    maplist(=(C), Bar).

initial_player(a).

opponent(a, b).
opponent(b, a).

% bite(R, C): all rows from the Rth on lose their squares from the Cth on.
move(bite(R, C), Bar1, Bar2) :-
    append(Above, [Row|Below], Bar1),
    length([Row|Above], R),
    between(1, Row, C),
    [R,C] \== [1,1],
    Length is C - 1,
    maplist(cut(Length), [Row|Below], Rest),
    append(Above, Rest, Bar2).

cut(Length, Row1, Row2) :- Row2 is min(Row1, Length).

terminal([1|Rows]) :-
    sum_list(Rows, 0).

print_state([Row|Rows]) :-
    write(' @'),
    print_squares(2, Row),
    forall(member(R, Rows), print_squares(1, R)).

print_squares(From, To) :-
    forall(between(From, To, _), write(' #')), nl.
