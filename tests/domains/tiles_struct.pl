% Five tiles in a structure, the hole is an unbound argument.
% board(A,B,C,D,E,F), read row by row.

initial_state(board(3,1,2,4,5,_)).

final_state(B) :-
    arg(6, B, Hole), var(Hole),
    in_order(1, B).

in_order(6, _) :- !.
in_order(I, B) :- arg(I, B, X), X == I, J is I + 1, in_order(J, B).

hole(B, I) :- arg(I, B, X), var(X), !.

step(I, J, north) :- J is I - 3, J >= 1.
step(I, J, south) :- J is I + 3, J =< 6.
step(I, J, west)  :- I mod 3 =\= 1, J is I - 1.
step(I, J, east)  :- I mod 3 =\= 0, J is I + 1.

rule(Dir, 1, B1, B2) :-
    hole(B1, I),
    step(I, J, Dir),
    arg(J, B1, T),
    functor(B2, board, 6),
    fill(6, I, J, T, B1, B2).

fill(0, _, _, _, _, _) :- !.
fill(N, I, J, T, B1, B2) :-
    (   N =:= I -> arg(N, B2, T)
    ;   N =:= J -> true
    ;   arg(N, B1, X), arg(N, B2, X)
    ),
    M is N - 1,
    fill(M, I, J, T, B1, B2).

heuristic(B, H) :- wrong(6, B, 0, H).

wrong(0, _, H, H) :- !.
wrong(N, B, H0, H) :-
    arg(N, B, X),
    (  nonvar(X), X =\= N -> H1 is H0 + 1 ; H1 = H0 ),
    M is N - 1,
    wrong(M, B, H1, H).
