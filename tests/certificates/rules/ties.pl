% Two players with utilities of their own, among them fractions and floats that nearly agree: who chooses among equals decides
% what the other one gets.

initial_state(s).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(a, left, s, l).
move(a, right, s, r).
move(b, one, l, end(1)).
move(b, two, l, end(2)).
move(b, three, r, end(3)).
move(b, four, r, end(4)).

terminal(_, end(_)).

utility(a, end(1), 0.1).
utility(a, end(2), 2).
utility(a, end(3), 0.30000000000000004).
utility(a, end(4), 0.3).
utility(b, end(1), 1).
utility(b, end(2), 1.0).
utility(b, end(3), 0.30000000000000004).
utility(b, end(4), 0.3).
