% A game that is over where it starts.
%! W0521 7
initial_state(0). initial_player(a).
opponent(a, b). opponent(b, a).
move(_, one, N, M) :- N > 0, M is N - 1.
utility(_, _, -1).
terminal(_, 0).
