% Permutations whose weighted sum is to be great: there are more of them than can be tried.
:- use_module(library(clpfd)).

model([q=Qs]) :-
    length(Qs, 20),
    Qs ins 1..20,
    apart(Qs).
objective([q=Qs], max(Sum)) :-
    weighted(Qs, 1, Sum).

weighted([], _, 0).
weighted([X|Xs], N, (X + N) mod 7 * N + Sum) :-
    N1 is N + 1,
    weighted(Xs, N1, Sum).

apart([]).
apart([X|Xs]) :-
    differ(Xs, X),
    apart(Xs).

differ([], _).
differ([Y|Ys], X) :-
    X #\= Y,
    differ(Ys, X).
