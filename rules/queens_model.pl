% queens_model.pl: eight queens on a board, none of which attacks another.
%
% As in eight_queens.pl, which moves from board to board; here it is said what the board is like in the end, and how
% to get there is left to labelling.
%
%     zug solve queens_model.pl                     a board of 8 by 8
%     zug solve queens_model.pl --all-solutions=3   all 92, three of them shown
%     zug solve queens_model.pl --instance 20       a larger one

:- use_module(library(clpfd)).

model(8, Vars) :- queens(8, Vars).
model(6, Vars) :- queens(6, Vars).
model(20, Vars) :- queens(20, Vars).
% Two boards without a solution.
model(2, Vars) :- queens(2, Vars).
model(3, Vars) :- queens(3, Vars).

% The queen in column I stands in row Queens[I].
queens(N, [queens=Queens]) :-
    length(Queens, N),
    Queens ins 1..N,
    safe(Queens).

safe([]).
safe([Queen|Queens]) :-
    no_attack(Queen, Queens, 1),
    safe(Queens).

no_attack(_, [], _).
no_attack(Queen, [Other|Others], Distance) :-
    Queen #\= Other,
    abs(Queen - Other) #\= Distance,
    Farther is Distance + 1,
    no_attack(Queen, Others, Farther).

print_state([queens=Queens]) :-
    length(Queens, N),
    forall(between(1, N, Row), print_row(Row, Queens)).

print_row(Row, Queens) :-
    forall(member(Queen, Queens), ( Queen =:= Row -> write(' Q') ; write(' .') )),
    nl.
