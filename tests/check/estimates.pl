% A heuristic that says too much, and one that says something of a goal.
%! W0519 6
%! W0519 7
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1.
heuristic(twice, N, H) :- H is 2 * (5 - N).
heuristic(more, N, H) :- H is 6 - N.
heuristic(right, N, H) :- H is 5 - N.
