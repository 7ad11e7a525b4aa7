% Each throws a die of three faces once or twice, and has the last throw; the higher one wins.

initial_state(dice(a, 0, 0, 0)).

initial_player(a).

opponent(a, b).
opponent(b, a).

to_move(throw(_, _, _, _), chance) :- !.
to_move(dice(J, _, _, _), J).

% dice(J, Throws, A, B): J has thrown so often; a has A, b has B.
move(J, throw, dice(J, N, A, B), throw(J, N, A, B)) :- N < 2.
move(a, stop, dice(a, N, A, B), dice(b, 0, A, B)) :- N > 0.
move(b, stop, dice(b, N, A, B), dice(b, 2, A, B)) :- N > 0, N < 2.
move(chance, Face, throw(a, N, _, B), dice(a, M, Face, B)) :- between(1, 3, Face), M is N + 1.
move(chance, Face, throw(b, N, A, _), dice(b, M, A, Face)) :- between(1, 3, Face), M is N + 1.

terminal(_, dice(b, 2, _, _)).

utility(a, dice(b, 2, A, B), U) :- U is sign(A - B).
utility(b, dice(b, 2, A, B), U) :- U is sign(B - A).
