initial_state(1).
final_state(2).
rule(on, 1, X, Y) :- Y is X + 1.
draw_state(S, [[S, cell(S, [fill(mauve)])]]).
