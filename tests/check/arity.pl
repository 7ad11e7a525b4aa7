% A clause with an argument too many.
%! N0602 6
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1, \+ bad(M).
bad(7).
bad(N, _) :- N > 8.
