% A predicate that nobody defines, called from the start.
%! E0501 5
initial_state(0). final_state(3).
wall(9).
rule(up, 1, N, M) :- N < 5, M is N + 1, \+ wal(M).
