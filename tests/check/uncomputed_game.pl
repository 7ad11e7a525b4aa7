% The same in a game.
%! W0516 6
initial_state(heap(3)). initial_player(a).
opponent(a, b). opponent(b, a).
terminal(_, heap(N)) :- N =:= 0. utility(_, _, -1).
move(_, one, heap(N), heap(M)) :- N > 0, M = N - 1.
