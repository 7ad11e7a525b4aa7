% Count to 21, by one, two or three; who says 21 loses. The player is in the state.
initial_state(said(0, next(anna))).

to_move(said(_, next(P)), P).
initial_player(anna).
opponent(anna, berta).
opponent(berta, anna).

move(_, say(M), said(N, next(P)), said(M, next(Q))) :-
    opponent(P, Q),
    member(D, [1,2,3]),
    M is N + D,
    M =< 21.

terminal(_, said(21, _)).

utility(_, said(21, _), 1).
