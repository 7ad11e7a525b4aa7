% A shortest Golomb ruler: marks whose distances all differ.
:- use_module(library(clpfd)).

ruler(N, Marks, Length) :-
    length(Marks, N),
    Marks = [0|_],
    Max is N * N,
    Marks ins 0..Max,
    chain(Marks, #<),
    last(Marks, Length),
    distances(Marks, Distances),
    all_different(Distances),
    Distances = [First|_],
    append(_, [A,B], Marks),
    First #< B - A.

distances([], []).
distances([M|Ms], Ds) :-
    differences(Ms, M, Ds0),
    distances(Ms, Ds1),
    append(Ds0, Ds1, Ds).

differences([], _, []).
differences([M|Ms], From, [D|Ds]) :-
    D #= M - From,
    D #> 0,
    differences(Ms, From, Ds).

main :-
    ruler(8, Marks, Length),
    once(labeling([min(Length)], Marks)),
    print(Marks), nl.
