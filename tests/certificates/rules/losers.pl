% Who is to move at the end has lost: the rules say less than nothing of the loser, and nothing of the other one.

initial_state(track(5, a)).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(J, go(K), track(N, J), track(M, O)) :-
    opponent(J, O),
    member(K, [1,3]),
    K =< N,
    M is N - K.

terminal(_, track(0, _)).

utility(J, track(0, J), U) :- !, U = -1.
utility(_, track(0, _), 0).
