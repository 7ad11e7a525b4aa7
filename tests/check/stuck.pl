% No move at all from the start.
%! W0505 5
initial_state(state(left)).
final_state(state(right)).
rule(go, 1, left, right).
rule(go, 1, state(middle), state(right)).
