% The general clause of the utility comes first.
%! W0532 7
initial_state(3). initial_player(a).
opponent(a, b). opponent(b, a).
move(_, K, S, T) :- between(1, 2, K), K =< S, T is S - K.
terminal(_, 0).
utility(_, _, 0).
utility(_, 0, -1).
