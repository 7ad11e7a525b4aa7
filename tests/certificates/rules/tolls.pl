% Roads with tolls: large whole numbers that nearly agree, roads without toll, and a town that no road leads out of.

initial_state(north, at(a, "north")).
initial_state(south, at(f, "south")).

final_state(at(e, "north")).

rule(drive(To), Toll, at(From, Way), at(To, Way)) :- road(From, To, Toll).

road(a, b, 10000000000).
road(a, c, 10000000001).
road(b, d, 0).
road(c, d, 0).
road(d, b, 0).
road(d, e, 7).
road(b, e, 8).
road(f, g, 1).
road(g, f, 0).
