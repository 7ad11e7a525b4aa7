:- use_module(library(clpfd)).

% The Grötzsch graph with three colours: it has no triangle and needs four.
model([colours=Cs]) :-
    length(Cs, 11),
    Cs ins 1..3,
    edges(Es),
    coloured(Es, Cs).

edges([1-2,2-3,3-4,4-5,5-1,6-2,6-5,7-1,7-3,8-2,8-4,9-3,9-5,10-4,10-1,11-6,11-7,11-8,11-9,11-10]).

coloured([], _).
coloured([A-B|Es], Cs) :-
    nth1(A, Cs, X),
    nth1(B, Cs, Y),
    X #\= Y,
    coloured(Es, Cs).
