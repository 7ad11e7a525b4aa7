% Thirty pigeons and 29 holes: there is no solution, and no end of values to be tried.
:- use_module(library(clpfd)).

model([q=Qs]) :-
    length(Qs, 30),
    Qs ins 1..29,
    apart(Qs).

apart([]).
apart([X|Xs]) :-
    differ(Xs, X),
    apart(Xs).

differ([], _).
differ([Y|Ys], X) :-
    X #\= Y,
    differ(Ys, X).

search :-
    model([q=Qs]),
    label(Qs).
