% The state comes first: rule/4 takes it third.
%! W0505 6

initial_state(3).
final_state(0).
rule(N, M, dec, 1) :- N > 0, M is N - 1.
