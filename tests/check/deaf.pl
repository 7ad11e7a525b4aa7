% terminal/2 takes the state first.
%! W0521 6
initial_state(s(3)). initial_player(a).
opponent(a, b). opponent(b, a).
move(_, dec, s(N), s(M)) :- N > 0, M is N - 1.
terminal(S, _) :- S \= s(3).
utility(_, _, -1).
