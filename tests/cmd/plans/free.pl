% Moves that cost nothing, round and round.
initial_state(0).
final_state(3).
rule(go, 0, 0, 1).
rule(go, 0, 1, 2).
rule(back, 0, 2, 0).
rule(stay, 0, 1, 1).
rule(go, 1, 2, 3).
rule(leap, 1, 1, 3).
rule(jump, 1, 1, 3).
