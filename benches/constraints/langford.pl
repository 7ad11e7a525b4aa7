% Langford's problem: all arrangements, by positions.
:- use_module(library(clpfd)).

langford(N, Positions) :-
    length(Firsts, N),
    Length is 2 * N,
    Firsts ins 1..Length,
    seconds(Firsts, 1, Seconds),
    Seconds ins 1..Length,
    append(Firsts, Seconds, Positions),
    all_different(Positions).

seconds([], _, []).
seconds([F|Fs], K, [S|Ss]) :-
    S #= F + K + 1,
    K1 is K + 1,
    seconds(Fs, K1, Ss).

main :-
    langford(9, Positions),
    findall(1, labeling([ff], Positions), All),
    length(All, Count),
    print(Count), nl.
