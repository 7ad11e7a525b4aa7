% A king takes the stone of a board of 81 squares; a rook, which moves too, may stand in its way. There are walls.

initial_state(Board) :-
    numlist(0, 80, Squares),
    maplist(square, Squares, Empty),
    foldl(put, [40-k, 70-r, 66-s], Empty, Board).

% Rows 1, 3, 5 and 7 are walls but for one square or two.
square(I, w) :- I // 9 mod 2 =:= 1, \+ memberchk(I, [10,31,34,49,65]), !.
square(_, e).

put(I-X, Board1, Board2) :-
    length(Before, I),
    append(Before, [_|After], Board1),
    append(Before, [X|After], Board2).

rule(king(I, J), 1, Board1, Board3) :-
    nth0(I, Board1, k),
    step(I, _, _, J),
    nth0(J, Board1, Square),
    \+ memberchk(Square, [r,w]),
    put(J-k, Board1, Board2),
    put(I-e, Board2, Board3).
rule(rook(I, J), 2, Board1, Board3) :-
    nth0(I, Board1, r),
    step(I, Dx, Dy, Next),
    0 is Dx * Dy,
    slide(Board1, Next, Dx, Dy, J),
    put(J-r, Board1, Board2),
    put(I-e, Board2, Board3).

slide(Board, I, Dx, Dy, J) :-
    nth0(I, Board, e),
    (   J = I
    ;   step(I, Dx, Dy, Next),
        slide(Board, Next, Dx, Dy, J)
    ).

step(I, Dx, Dy, J) :-
    member(Dx, [-1,0,1]),
    member(Dy, [-1,0,1]),
    \+ ( Dx =:= 0, Dy =:= 0 ),
    X is I mod 9 + Dx, X >= 0, X < 9,
    Y is I // 9 + Dy, Y >= 0, Y < 9,
    J is Y * 9 + X.

final_state(Board) :- \+ memberchk(s, Board).

% Moves of the king to the first stone, at least.
heuristic(Board, H) :-
    first(Board, k, 0, K),
    (   memberchk(s, Board)
    ->  first(Board, s, 0, S),
        H is max(abs(K mod 9 - S mod 9), abs(K // 9 - S // 9))
    ;   H = 0
    ).

% first(Squares, X, I0, I): X is in the first of Squares, counted from I0, that has one.
first([Square|_], X, I, I) :- Square == X, !.
first([_|Squares], X, I0, I) :-
    I1 is I0 + 1,
    first(Squares, X, I1, I).
