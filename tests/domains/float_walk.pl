% Diagonal steps on a 5 x 5 grid cost the square root of two.
initial_state(1-1).
final_state(5-4).

blocked(2-2). blocked(3-2). blocked(4-4). blocked(3-4).

rule(Dx+Dy, C, X-Y, X1-Y1) :-
    between(-1, 1, Dx), between(-1, 1, Dy), (Dx,Dy) \== (0,0),
    X1 is X + Dx, Y1 is Y + Dy,
    between(1, 5, X1), between(1, 5, Y1),
    \+ blocked(X1-Y1),
    C is sqrt(Dx * Dx + Dy * Dy).

heuristic(octile, X-Y, H) :-
    A is abs(5 - X), B is abs(4 - Y),
    H is max(A, B) + (sqrt(2) - 1) * min(A, B).
heuristic(straight, X-Y, H) :- H is sqrt((5 - X) ^ 2 + (4 - Y) ^ 2).
heuristic(none, _, 0.0).
