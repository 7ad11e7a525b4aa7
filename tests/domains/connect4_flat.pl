% Connect Four, the board is one flat list: the lowest row first, e is empty.
% Four columns and three rows here; columns(7), rows(6) is the real game.

columns(4).
rows(3).

initial_state(S) :-
    columns(W), rows(H), N is W * H,
    length(S, N),
    maplist(=(e), S).

initial_player(x).
opponent(x, o).
opponent(o, x).

move(J, C, S1, S2) :-
    columns(W),
    between(1, W, C),
    drop(C, W, J, S1, S2).

% the first empty square at places C, C+W, C+2W, ...
drop(I, W, J, S1, S2) :-
    nth1(I, S1, Square),
    (   Square == e
    ->  put(I, J, S1, S2)
    ;   I2 is I + W,
        drop(I2, W, J, S1, S2)
    ).

put(1, J, [_|T], [J|T]) :- !.
put(I, J, [H|T], [H|U]) :- I1 is I - 1, put(I1, J, T, U).

% does J have four in a line from some square?
four(J, S) :-
    columns(W), rows(H),
    nth1(I, S, J),
    X is (I - 1) mod W, Y is (I - 1) // W,
    member(Dx/Dy, [1/0, 0/1, 1/1, -1/1]),
    X3 is X + 3 * Dx, X3 >= 0, X3 < W,
    Y3 is Y + 3 * Dy, Y3 < H,
    Step is Dx + W * Dy,
    same(3, I, Step, J, S), !.

same(0, _, _, _, _) :- !.
same(N, I, Step, J, S) :-
    I1 is I + Step,
    nth1(I1, S, J),
    N1 is N - 1,
    same(N1, I1, Step, J, S).

terminal(J, S) :- opponent(J, A), four(A, S), !.
terminal(_, S) :- \+ memberchk(e, S).

utility(J, S, U) :-
    opponent(J, A),
    (   four(A, S) -> U = -100
    ;   four(J, S) -> U = 100
    ;   U = 0
    ).

% the middle is worth more
heuristic(J, S, H) :-
    findall(V, ( nth0(I, S, P), value(J, P, I, V) ), Vs),
    sum_list(Vs, H).

value(_, e, _, 0) :- !.
value(J, P, I, V) :-
    columns(W),
    V0 is W - abs(2 * (I mod W) - W + 1),
    ( P == J -> V = V0 ; V is -V0 ).
