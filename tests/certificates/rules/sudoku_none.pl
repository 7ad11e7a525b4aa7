:- use_module(library(clpfd)).

model([rows=Rows]) :-
    Rows = [[_,_,_,_,_,5,_,8,_],
            [_,_,_,6,_,1,_,4,3],
            [_,_,_,_,_,_,_,_,_],
            [_,1,_,5,_,_,_,_,_],
            [_,_,_,1,_,6,_,_,_],
            [3,_,_,_,_,_,_,_,5],
            [5,3,_,_,_,_,_,6,1],
            [_,_,_,_,_,_,_,_,4],
            [_,_,_,_,_,_,_,_,_]],
    inside(Rows),
    distinct(Rows),
    columns(Rows, Columns),
    distinct(Columns),
    boxes(Rows).

inside([]).
inside([Row|Rows]) :-
    Row ins 1..9,
    inside(Rows).

distinct([]).
distinct([Row|Rows]) :-
    all_distinct(Row),
    distinct(Rows).

columns([[]|_], []).
columns([[A|As]|Rows], [Column|Columns]) :-
    heads([[A|As]|Rows], Column, Rest),
    columns(Rest, Columns).

heads([], [], []).
heads([[A|As]|Rows], [A|Column], [As|Rest]) :-
    heads(Rows, Column, Rest).

boxes([]).
boxes([A,B,C|Rows]) :-
    box(A, B, C),
    boxes(Rows).

box([], [], []).
box([A,B,C|Xs], [D,E,F|Ys], [G,H,I|Zs]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    box(Xs, Ys, Zs).
