:- use_module(library(clpfd)).

model(pairs, [p=Ps]) :-
    length(Ps, 8),
    Ps ins 1..7,
    pairs(Ps).
model(all, [p=Ps]) :-
    length(Ps, 9),
    Ps ins 1..8,
    all_different(Ps).
pairs([]).
pairs([P|Ps]) :-
    others(Ps, P),
    pairs(Ps).

others([], _).
others([Q|Qs], P) :-
    P #\= Q,
    others(Qs, P).
