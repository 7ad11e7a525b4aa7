% No move at all from the start.
%! W0505 6
%! N0801 6
initial_state(state(left)).
final_state(state(right)).
rule(go, 1, left, right).
rule(go, 1, state(middle), state(right)).
