% Ends whose worth differs in the last digit of a float.

initial_state(s).

initial_player(max).

opponent(max, min).
opponent(min, max).

move(max, left, s, l).
move(max, right, s, r).
move(min, one, l, end(1)).
move(min, two, l, end(2)).
move(min, three, r, end(3)).
move(min, four, r, end(4)).

terminal(_, end(_)).

utility(max, end(N), U) :- worth(N, U).
utility(min, end(N), U) :- worth(N, V), U is -V.

worth(1, 0.3).
worth(2, 0.5).
worth(3, 0.30000000000000004).
worth(4, 0.5).
