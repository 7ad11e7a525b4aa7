% Costs of tenths: sums of floats that differ with the order of additions, in the last digit.

initial_state(s).

final_state(t).

rule(short, 0.3, s, a).
rule(first, 0.1, s, b).
rule(second, 0.2, b, a).
rule(third, 0.30000000000000004, s, c).
rule(on, 0.3, c, t).
rule(last, 0.3, a, t).
