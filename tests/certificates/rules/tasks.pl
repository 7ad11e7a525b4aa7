:- use_module(library(clpfd)).

model([starts=Ss]) :-
    length(Ss, 7),
    Ss ins 0..9,
    tasks(Ss, [3,4,2,5,3,4,2], [2,1,3,2,1,2,3], Tasks, Ends),
    ends(Ends),
    cumulative(Tasks, [limit(4)]).

tasks([], [], [], [], []).
tasks([S|Ss], [D|Ds], [C|Cs], [task(S,D,E,C,_)|Ts], [E|Es]) :-
    tasks(Ss, Ds, Cs, Ts, Es).

ends([]).
ends([E|Es]) :-
    E #=< 11,
    ends(Es).
