% Amazons on 4 x 4 squares, one for each player: a move of the amazon, then an arrow that burns
% a square. Who can't move loses.

initial_state(s([
    e, w, e, e,
    e, e, e, e,
    e, e, e, e,
    e, e, b, e])).
initial_player(w).
opponent(w, b).
opponent(b, w).

move(P, go(From, To, Arrow), s(Board1), s(Board3)) :-
    nth0(From, Board1, P),
    way(From, To, Between1),
    maplist(free(Board1), [To|Between1]),
    way(To, Arrow, Between2),
    forall(member(N, [Arrow|Between2]), ( N =:= From ; free(Board1, N) )),
    put(From, e, Board1, Board2),
    put_all([To-P, Arrow-x], Board2, Board3).

terminal(P, S) :-
    \+ move(P, _, S, _).

utility(P, S, -1) :-
    terminal(P, S).

free(Board, N) :-
    nth0(N, Board, e).

put(N, C, Board1, Board2) :-
    nth0(N, Board1, _, Rest),
    nth0(N, Board2, C, Rest).

put_all([], Board, Board).
put_all([N-C|Changes], Board1, Board3) :-
    put(N, C, Board1, Board2),
    put_all(Changes, Board2, Board3).

% way(From, To, Between): a queen goes from one square to another, over those between.
way(From, To, Between) :-
    member(DX-DY, [-1 - -1, -1-0, -1-1, 0 - -1, 0-1, 1 - -1, 1-0, 1-1]),
    steps(From, DX, DY, To, Between).

steps(From, DX, DY, To, Between) :-
    X is From mod 4 + DX, between(0, 3, X),
    Y is From // 4 + DY, between(0, 3, Y),
    Next is 4 * Y + X,
    (   To = Next, Between = []
    ;   Between = [Next|Rest],
        steps(Next, DX, DY, To, Rest)
    ).
