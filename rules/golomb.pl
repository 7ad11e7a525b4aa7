% golomb.pl: the shortest ruler with marks of which no two pairs are equally far apart.
%
%     0 1 4 6          measures 1, 2, 3, 4, 5 and 6, each in one way
%
%     zug solve golomb.pl                    a ruler of 6 marks
%     zug solve golomb.pl --instance 7       one of 7
%     zug solve golomb.pl --all-solutions    whether there are others of that length

:- use_module(library(clpfd)).

model(6, Vars) :- ruler(6, Vars).
model(4, Vars) :- ruler(4, Vars).
model(5, Vars) :- ruler(5, Vars).
model(7, Vars) :- ruler(7, Vars).

% The length is where the last mark is.
objective([marks=Marks], min(Length)) :-
    last(Marks, Length).

ruler(N, [marks=[0|Marks]]) :-
    Others is N - 1,
    length(Marks, Others),
    Longest is N * N,
    Marks ins 1..Longest,
    chain([0|Marks], #<),
    distances([0|Marks], Distances),
    all_distinct(Distances),
    mirrored([0|Marks]).

distances([], []).
distances([Mark|Marks], Distances) :-
    foldl(distance(Mark), Marks, Distances, Rest),
    distances(Marks, Rest).

distance(Mark, Later, [Distance|Distances], Distances) :-
    Distance #= Later - Mark.

% A ruler read from its other end is the same ruler: the first distance is less than the last one.
mirrored([First,Second|Marks]) :-
    append(_, [Before,Last], [Second|Marks]),
    Second - First #< Last - Before.
