%! E0101 7
%! E0101 9
%! E0101 11
%! E0101 13
%= % the player's moves
%= rule(up, 1, N, M) :- N < 5, M is N + 1. % up
# the player's moves
initial_state(0).
// it ends here
final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1. # up
rule(down, 1, N, M) :- N > 0, M is N - 1.
-- that's all
