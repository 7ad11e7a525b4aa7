% States that look alike and are not: an atom, a string, a number as integer and float, a term that could be evaluated.

initial_state(one, 1).
initial_state(wrong, "1").

final_state(1.0).

rule(write, 1, 1, '1').
rule(quote, 1, '1', "1").
rule(add, 1, 1, 1+0).
rule(float, 2, 0+1, 1.0).
rule(shorten, 1, 1, 0+1).
rule(back, 0, '1', 1).
rule("back", 0, "1", '1').
