% magic_square.pl: the numbers 1 to 9 in a square whose rows, columns and diagonals all add up to the same.
%
%     zug solve magic_square.pl                    one of them
%     zug solve magic_square.pl --all-solutions    turned and mirrored, it is always the same one
%     zug solve magic_square.pl --instance 4       one of 4 by 4

:- use_module(library(clpfd)).

model(3, Vars) :- square(3, Vars).
model(4, Vars) :- square(4, Vars).

square(N, [rows=Rows]) :-
    length(Rows, N),
    maplist(same_length(Rows), Rows),
    append(Rows, Numbers),
    Last is N * N,
    Numbers ins 1..Last,
    all_distinct(Numbers),
    Sum is N * (N * N + 1) // 2,
    maplist(adds_up_to(Sum), Rows),
    transpose(Rows, Columns),
    maplist(adds_up_to(Sum), Columns),
    diagonal(Rows, Down),
    adds_up_to(Sum, Down),
    reverse(Rows, Upwards),
    diagonal(Upwards, Up),
    adds_up_to(Sum, Up).

adds_up_to(Sum, Numbers) :-
    sum(Numbers, #=, Sum).

diagonal([], []).
diagonal([[Number|_]|Rows], [Number|Numbers]) :-
    maplist([[_|Row],Row]>>true, Rows, Rest),
    diagonal(Rest, Numbers).

print_state([rows=Rows]) :-
    forall(member(Row, Rows), ( forall(member(Number, Row), format("~t~d~4+", [Number])), nl )).
