% Costs beyond 64 bits.
initial_state(near, b).
initial_state(far, a).
final_state(c).
rule(ab, 9223372036854775807, a, b).
rule(bc, 9223372036854775807, b, c).
rule(over, 18446744073709551615, a, c).
heuristic(X, H) :- memberchk(X-H, [a-9223372036854775808, b-1, c-0]).
