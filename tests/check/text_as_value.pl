% format/2 writes, and has no value.
%! W0528 6

initial_state(3).
final_state(0).
rule(format("dec ~w", [N]), 1, N, M) :- N > 0, M is N - 1.
