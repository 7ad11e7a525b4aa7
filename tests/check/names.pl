% Names that are nearly those of the contract, beside the right ones.
%! W0509 10
%! W0502 11
%! W0509 12
%! W0509 13
%= rule(down, 1, N, M) :- N > 0, M is N - 1.
%= final_state(9).
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1.
rul(down, 1, N, M) :- N > 0, M is N - 1.
rule(jump, N, M) :- N < 4, M is N + 2.
finalState(9).
heuristics(_, 0).
