% What the two players get adds up to 1000 at every end.
initial_state(s).
initial_player(a).
opponent(a, b).
opponent(b, a).
move(a, l, s, s1).
move(a, r, s, s2).
move(b, x, s1, e1).
move(b, y, s1, e2).
move(b, x, s2, e3).
move(b, y, s2, e4).
terminal(_, S) :- memberchk(S, [e1, e2, e3, e4]).
utility(a, S, U) :- memberchk(S-U, [e1-300, e2-50, e3-70, e4-1000]).
utility(b, S, U) :- utility(a, S, V), U is 1000 - V.
