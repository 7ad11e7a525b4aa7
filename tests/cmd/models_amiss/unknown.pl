:- use_module(library(clpfd)).
model([x=X]) :-
    X in 1..9,
    all_diferent([X]).
