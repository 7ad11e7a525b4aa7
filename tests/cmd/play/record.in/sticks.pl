% Five sticks: take one or two; who takes the last one wins.
initial_state(5).
initial_player(a).
opponent(a, b).
opponent(b, a).
move(_, take(K), N, M) :- between(1, 2, K), K =< N, M is N - K.
terminal(_, 0).
utility(_, 0, -1).
