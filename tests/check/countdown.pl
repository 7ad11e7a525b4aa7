% Expressions that are built on purpose, beside their values: nothing to be said.
initial_state([3-3, 4-4, 2-2]).
final_state([_-14]).
rule(join, 1, L, [E-V|R]) :- select(E1-V1, L, L1), select(E2-V2, L1, R), made(E1-V1, E2-V2, E-V).
made(E1-V1, E2-V2, (E1+E2)-V) :- V is V1 + V2.
made(E1-V1, E2-V2, (E1-E2)-V) :- V1 > V2, V is V1 - V2.
made(E1-V1, E2-V2, (E1*E2)-V) :- V is V1 * V2.
