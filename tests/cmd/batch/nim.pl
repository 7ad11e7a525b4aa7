initial_state(5).
initial_player(ann).
opponent(ann, bob).
opponent(bob, ann).
move(_, take(N), S, T) :- between(1, 3, N), N =< S, T is S - N.
terminal(_, 0).
utility(_, 0, -1).

:- expect(value(1)).
:- expect(best(take(1))).
