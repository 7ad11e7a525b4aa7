% Each player moves after himself.
%! W0535 4
initial_state(3). initial_player(a).
opponent(a, a). opponent(b, b).
move(_, dec, S, T) :- S > 0, T is S - 1.
terminal(_, 0).
utility(_, 0, -1).
