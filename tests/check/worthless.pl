% The state stands where engines give the player: every end is worth nothing.
%! W0531 7
initial_state(3). initial_player(a).
opponent(a, b). opponent(b, a).
move(_, K, S, T) :- between(1, 2, K), K =< S, T is S - K.
terminal(_, 0).
utility(0, _, -1) :- !.
utility(_, _, 0).
