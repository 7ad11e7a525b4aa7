% Rules of a game that draw random numbers.
initial_state(6).
initial_player(a).
opponent(a, b).
opponent(b, a).
move(_, take(N), S, T) :- between(1, 3, N), N =< S, random(X), X < 2, T is S - N.
terminal(_, 0).
utility(_, 0, -1).
