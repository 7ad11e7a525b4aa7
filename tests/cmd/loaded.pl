% Keep 3 points, or throw a die for its number.
initial_state(start).
initial_player(a).
opponent(a, a).
to_move(die, chance) :- !.
to_move(_, a).
move(a, keep, start, points(3)).
move(a, throw, start, die).
move(chance, N, die, points(N)) :- between(1, 6, N).
probability(N, die, P) :- P = N/6.
terminal(_, points(_)).
utility(_, points(N), N).
