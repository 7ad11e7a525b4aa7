% The same in a game.
%! W0509 12
%! W0502 13
%! W0509 14
%= move(_, two, N, M) :- N > 1, M is N - 2.
initial_state(5).
initial_player(a).
opponent(a, b). opponent(b, a).
move(_, one, N, M) :- N > 0, M is N - 1.
terminal(_, 0).
utility(_, 0, -1).
moves(_, two, N, M) :- N > 1, M is N - 2.
terminal(_, 1, x).
utilty(_, 1, 1).
