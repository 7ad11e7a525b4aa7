% Variables that are mistyped, and some that are two on purpose.
%! W0409 6
%! E0501 7
%! W0401 8
initial_state(0). final_state(3).
rule(up, 1, N, M) :- N < 5, step(N, Mm), M is N + 1, step(M, _).
rule(two, 2, N0, M) :- N0 < 4, M is NO + 2.
step(N, N1) :- N >= 0.
