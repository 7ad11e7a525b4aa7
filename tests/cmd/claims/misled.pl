% A cheap way round that the heuristic calls dear.
initial_state(a).
final_state(g).
rule(ab, 1, a, b).
rule(ac, 1, a, c).
rule(bg, 10, b, g).
rule(cd, 1, c, d).
rule(dg, 1, d, g).
heuristic(misleading, S, H) :- memberchk(S-H, [a-3, b-0, c-20, d-20, g-0]).
heuristic(good, S, H) :- memberchk(S-H, [a-3, b-9, c-2, d-1, g-0]).
heuristic(blind_alley, S, H) :- memberchk(S-H, [a-1, b-inf, c-inf, d-0, g-0]).
heuristic(alley, S, H) :- memberchk(S-H, [a-1, b-inf, c-0, d-0, g-0]).
