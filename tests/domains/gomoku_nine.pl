% The end of five in a row on a board of 81 squares, a flat list.

size(9).

% All squares but eight are taken, and nobody has five in a row.
initial_state(Board) :-
    numlist(0, 80, Squares),
    maplist(square, Squares, Board).

square(I, e) :- memberchk(I, [4,20,36,40,44,60,63,76]), !.
square(I, x) :- memberchk(I, [37,38,39,41]), !.
square(I, o) :- memberchk(I, [13,22,31]), !.
square(I, Stone) :-
    Pair is (I mod 9 + I // 9 * 2) mod 4 // 2,
    nth0(Pair, [x,o], Stone).

initial_player(x).
opponent(x, o).
opponent(o, x).

move(J, I, Board1, Board2) :-
    nth0(I, Board1, e),
    set(Board1, I, J, Board2).

set([_|Xs], 0, X, [X|Xs]) :- !.
set([X|Xs1], I, Y, [X|Xs2]) :-
    I1 is I - 1,
    set(Xs1, I1, Y, Xs2).

won(Board, J) :-
    size(N),
    nth0(I, Board, J),
    direction(Dx, Dy),
    X is I mod N + 4 * Dx, X >= 0, X < N,
    Y is I // N + 4 * Dy, Y < N,
    run(4, I, Dx, Dy, Board, J).

run(0, _, _, _, _, _) :- !.
run(K, I, Dx, Dy, Board, J) :-
    size(N),
    Next is I + Dx + N * Dy,
    nth0(Next, Board, J),
    K1 is K - 1,
    run(K1, Next, Dx, Dy, Board, J).

direction(1, 0).
direction(0, 1).
direction(1, 1).
direction(-1, 1).

terminal(J, Board) :- opponent(J, O), won(Board, O), !.
terminal(_, Board) :- \+ memberchk(e, Board).

utility(J, Board, -1) :- opponent(J, O), won(Board, O), !.
utility(_, _, 0).

% Stones of one's own that have a neighbour to the right, less those of the opponent.
heuristic(J, Board, H) :-
    opponent(J, O),
    pairs(J, Board, Mine),
    pairs(O, Board, Others),
    H is (Mine - Others) / 100.

pairs(J, Board, Count) :-
    size(N),
    aggregate_all(count, ( nth0(I, Board, J), I mod N < N - 1, I1 is I + 1, nth0(I1, Board, J) ), Count).
