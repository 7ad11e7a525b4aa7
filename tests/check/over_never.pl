% An end that is not written as the states are.
%! E0502 5
initial_state(pile(5)). initial_player(a). opponent(a, b). opponent(b, a).
move(_, one, pile(N), pile(M)) :- N >= 1, M is N - 1.
terminal(_, heap(0)).
utility(_, pile(0), -1).
