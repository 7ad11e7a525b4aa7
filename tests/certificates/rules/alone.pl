% Who tries wins 10 by 1 in 3, has lost everything by 1 in 6, or may try again; who leaves keeps 3.

initial_state(try(3)).

initial_player(me).

opponent(me, me).

to_move(chance(_), chance) :- !.
to_move(_, me).

move(me, leave, try(N), over(N)).
move(me, go, try(N), chance(N)).
move(chance, win, chance(_), over(10)).
move(chance, fail, chance(_), over(0)).
move(chance, again, chance(N), try(N)).

probability(win, _, 1/3).
probability(fail, _, 1/6).
probability(again, _, 1/2).

terminal(_, over(_)).

utility(me, over(N), N).
