% Who can't move has lost, since nothing else is said; the players have no names.

initial_state(5).

move(N, S1, S2) :-
    member(N, [1,2,4]),
    N =< S1,
    S2 is S1 - N.
