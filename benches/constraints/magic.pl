% Magic squares: all of order 3, the first of order 4.
:- use_module(library(clpfd)).

magic(N, Rows) :-
    length(Rows, N),
    maplist(same_length(Rows), Rows),
    append(Rows, Vs),
    Max is N * N,
    Vs ins 1..Max,
    all_different(Vs),
    Sum is N * (Max + 1) // 2,
    maplist(sums_to(Sum), Rows),
    transpose(Rows, Columns),
    maplist(sums_to(Sum), Columns),
    diagonal(Rows, 1, Down),
    sums_to(Sum, Down),
    reverse(Rows, Upwards),
    diagonal(Upwards, 1, Up),
    sums_to(Sum, Up).

sums_to(Sum, Vs) :-
    sum(Vs, #=, Sum).

diagonal([], _, []).
diagonal([Row|Rows], I, [X|Xs]) :-
    nth1(I, Row, X),
    I1 is I + 1,
    diagonal(Rows, I1, Xs).

main :-
    magic(3, Small),
    append(Small, Vs),
    findall(Small, label(Vs), All),
    length(All, Count),
    magic(4, Rows),
    append(Rows, Ws),
    findall(Rows, limit(100, label(Ws)), Large),
    last(Large, Last),
    print(Count-Last), nl.
