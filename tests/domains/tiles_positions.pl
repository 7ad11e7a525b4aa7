/* 8-puzzle as in the Prolog text books: a list of squares X/Y, the first
   is where the empty square is, then where tile 1 is, tile 2, ... */

initial_state(easy,   [2/2, 1/3, 3/2, 2/3, 3/3, 3/1, 2/1, 1/1, 1/2]).
initial_state(medium, [2/1, 1/2, 1/3, 3/3, 3/2, 3/1, 2/2, 1/1, 2/3]).

final_state([2/2, 1/3, 2/3, 3/3, 3/2, 3/1, 2/1, 1/1, 1/2]).

rule(slide, 1, [Empty|Tiles], [Tile|Tiles1]) :-
    swap(Empty, Tile, Tiles, Tiles1).

swap(E, T, [T|Ts], [E|Ts]) :- mandist(E, T, 1).
swap(E, T, [T1|Ts], [T1|Ts1]) :- swap(E, T, Ts, Ts1).

mandist(X/Y, X1/Y1, D) :-
    diff(X, X1, Dx),
    diff(Y, Y1, Dy),
    D is Dx + Dy.

diff(A, B, D) :- D is A - B, D >= 0, !.
diff(A, B, D) :- D is B - A.

heuristic([_|Tiles], H) :-
    final_state([_|Squares]),
    totdist(Tiles, Squares, D),
    seq(Tiles, S),
    H is D + 3 * S.

totdist([], [], 0).
totdist([T|Ts], [S|Ss], D) :-
    mandist(T, S, D1),
    totdist(Ts, Ss, D2),
    D is D1 + D2.

seq([First|Others], S) :- seq([First|Others], First, S).

seq([T1,T2|Ts], First, S) :- score(T1, T2, S1), seq([T2|Ts], First, S2), S is S1 + S2.
seq([Last], First, S) :- score(Last, First, S).

score(2/2, _, 1) :- !.
score(1/3, 2/3, 0) :- !.
score(2/3, 3/3, 0) :- !.
score(3/3, 3/2, 0) :- !.
score(3/2, 3/1, 0) :- !.
score(3/1, 2/1, 0) :- !.
score(2/1, 1/1, 0) :- !.
score(1/1, 1/2, 0) :- !.
score(1/2, 1/3, 0) :- !.
score(_, _, 2).
