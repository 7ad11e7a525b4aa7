% Queens: the first solutions of large boards, first fail; all solutions of a small one.
:- use_module(library(clpfd)).

queens(N, Qs) :-
    length(Qs, N),
    Qs ins 1..N,
    safe(Qs).

safe([]).
safe([Q|Qs]) :-
    no_attack(Q, Qs, 1),
    safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Q1|Qs], D) :-
    Q #\= Q1,
    abs(Q - Q1) #\= D,
    D1 is D + 1,
    no_attack(Q, Qs, D1).

main :-
    queens(10, Small),
    findall(Small, label(Small), All),
    length(All, Count),
    queens(100, Large),
    labeling([ff], Large),
    print(Count-Large), nl.
