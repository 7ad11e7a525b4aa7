% The 15-puzzle on rows. For each tile both boards are searched for its place.
initial_state([[b,2,5,3], [4,7,6,11], [8,1,10,15], [12,9,13,14]]).

final_state([[b,1,2,3], [4,5,6,7], [8,9,10,11], [12,13,14,15]]).

rule(Way, 1, S1, S2) :-
    place(b, S1, R, C),
    next(Way, R, C, R1, C1),
    place(T, S1, R1, C1),
    put(S1, b, T, S2).

next(up,    R, C, R1, C) :- R > 0, R1 is R - 1.
next(down,  R, C, R1, C) :- R < 3, R1 is R + 1.
next(left,  R, C, R, C1) :- C > 0, C1 is C - 1.
next(right, R, C, R, C1) :- C < 3, C1 is C + 1.

% The two change places.
put(S1, X, Y, S2) :- maplist(maplist(changed(X, Y)), S1, S2).

changed(X, Y, X, Y) :- !.
changed(X, Y, Y, X) :- !.
changed(_, _, Z, Z).

place(T, S, R, C) :- nth0(R, S, Row), nth0(C, Row, T), !.

heuristic(S, H) :-
    final_state(F),
    numlist(1, 15, Tiles),
    maplist(distance(S, F), Tiles, Ds),
    sum_list(Ds, H).

distance(S, F, T, D) :-
    place(T, S, R1, C1),
    place(T, F, R2, C2),
    D is abs(R1 - R2) + abs(C1 - C2).
