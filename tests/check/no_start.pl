% No start at all.
%! W0504 3
initial_state(X) :- start(X), X > 3.
start(1). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1.
