heuristic(S, H) :- heuristic2(S, H).
