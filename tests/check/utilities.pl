% Utilities that don't add up to the same.
%! N0604 7
initial_state(s). initial_player(a).
opponent(a, b). opponent(b, a).
move(a, l, s, e1). move(a, r, s, e2).
terminal(_, e1). terminal(_, e2).
utility(a, e1, 3). utility(b, e1, 1). utility(a, e2, 0). utility(b, e2, 0).
