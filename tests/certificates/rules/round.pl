% Play may go round for ever, which is a draw; who is to move may also give in.

initial_state(place(0)).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(_, on, place(N), place(M)) :- M is (N + 1) mod 3.
move(J, give_in, place(_), lost(J)).

terminal(_, lost(_)).

utility(J, lost(J), U) :- !, U = -1.
utility(_, lost(_), 1).
