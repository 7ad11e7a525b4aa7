% Two ways from a to d: the cheap one looks dear, and hopeless at its end.

initial_state(start, a).

final_state(d).

rule(dear,  6, a, d).
rule(cheap, 1, a, b).
rule(on,    1, b, c).
rule(home,  1, c, d).

heuristic(timid,  a, 2).
heuristic(timid,  b, 9).
heuristic(timid,  c, 1).
heuristic(timid,  d, 0).
heuristic(gloomy, a, inf).
heuristic(gloomy, b, 0).
heuristic(gloomy, c, 0).
heuristic(gloomy, d, 0).
