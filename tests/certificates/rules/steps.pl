% Steps of halves and quarters, which floats add up exactly; two ways cost the same, and one costs as much as it is long.

initial_state(low, at(0)).
initial_state(high, at(9)).

final_state(at(4)).

rule(walk, 0.5, at(N), at(M)) :- N < 8, M is N + 1.
rule(jump, 1.25, at(N), at(M)) :- N < 7, M is N + 2.
rule(ride, 1.0, at(N), at(M)) :- N < 7, M is N + 2.
rule(fall, 0, at(N), at(0)) :- N > 0.
