% Othello on a flat list. Squares are numbered 0, 1, 2, ... row by row; b, w, or e for empty.
% size(4) to be small, 8 is the real board.

size(4).

initial_state(Board) :-
    size(N),
    Last is N * N - 1,
    numlist(0, Last, Squares),
    maplist(start(N), Squares, Board).

start(N, I, Colour) :-
    A is N // 2 * N + N // 2, B is A - 1, C is A - N, D is C - 1,
    (   ( I =:= A ; I =:= D ) -> Colour = w
    ;   ( I =:= B ; I =:= C ) -> Colour = b
    ;   Colour = e
    ).

initial_player(b).
opponent(b, w).
opponent(w, b).

move(J, I, Board, New) :-
    flips(J, Board, I, Flips),
    flip_all([I|Flips], J, Board, New).
move(J, pass, Board, Board) :-
    \+ flips(J, Board, _, _).

% flips(J, Board, I, Flips): J may play on I, and that turns Flips over
flips(J, Board, I, Flips) :-
    nth0(I, Board, e),
    findall(K, ( direction(Dx, Dy), ray(J, Board, I, Dx, Dy, Ray), member(K, Ray) ), Flips),
    Flips = [_|_].

direction(Dx, Dy) :-
    member(Dx, [-1,0,1]),
    member(Dy, [-1,0,1]),
    \+ ( Dx =:= 0, Dy =:= 0 ).

ray(J, Board, I, Dx, Dy, Ray) :-
    step(I, Dx, Dy, K),
    nth0(K, Board, Disc),
    (   Disc == J
    ->  Ray = []
    ;   opponent(J, Disc),
        Ray = [K|Rest],
        ray(J, Board, K, Dx, Dy, Rest)
    ).

step(I, Dx, Dy, K) :-
    size(N),
    X is I mod N + Dx, X >= 0, X < N,
    Y is I // N + Dy, Y >= 0, Y < N,
    K is Y * N + X.

flip_all([], _, Board, Board).
flip_all([I|Is], J, Board1, Board3) :-
    set(I, Board1, J, Board2),
    flip_all(Is, J, Board2, Board3).

set(0, [_|T], X, [X|T]) :- !.
set(I, [H|T], X, [H|U]) :- I1 is I - 1, set(I1, T, X, U).

terminal(_, Board) :-
    \+ flips(b, Board, _, _),
    \+ flips(w, Board, _, _).

utility(J, Board, U) :-
    opponent(J, A),
    count(J, Board, Mine),
    count(A, Board, Yours),
    U is Mine - Yours.

count(X, Board, N) :- include(==(X), Board, Xs), length(Xs, N).

% corners, then discs
heuristic(J, Board, H) :-
    opponent(J, A),
    corners(J, Board, Mine),
    corners(A, Board, Yours),
    utility(J, Board, U),
    H is 10 * (Mine - Yours) + U.

corners(J, Board, N) :-
    size(M),
    Right is M - 1, Low is M * Right, End is M * M - 1,
    aggregate_all(count, ( member(I, [0, Right, Low, End]), nth0(I, Board, J) ), N).
