% A knight's tour on 3 x 4. The state is the way so far, last square first.

initial_state([1/1]).
final_state(Way) :- length(Way, 12).

rule(X1/Y1, 1, [X/Y|Way], [X1/Y1,X/Y|Way]) :-
    leap(X/Y, X1/Y1),
    \+ member(X1/Y1, [X/Y|Way]).

leap(X/Y, X1/Y1) :-
    ( dxy(Dx, Dy) ; dxy(Dy, Dx) ),
    X1 is X + Dx, between(1, 3, X1),
    Y1 is Y + Dy, between(1, 4, Y1).

dxy(2, 1).
dxy(2, -1).
dxy(-2, 1).
dxy(-2, -1).

heuristic(Way, H) :- length(Way, N), H is 12 - N.
