% A clause that can't be read: nothing of the predicates that stand in it.
%! E0107 6
initial_state(0). final_state(3).
rule(up, 1, N, M) :- N < 5, M is N + 1, fine(M).
more(N) :- N > 0.
fine(N) :- more(N, N < 10.
