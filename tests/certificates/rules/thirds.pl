% A coin of three sides, thrown twice at most: what it is worth are thirds and ninths.

initial_state(start).

initial_player(a).

opponent(a, b).
opponent(b, a).

to_move(coin(_), chance) :- !.
to_move(again(_), b) :- !.
to_move(_, a).

move(a, keep, start, end(0)).
move(a, throw, start, coin(1)).
move(chance, Side, coin(N), Next) :-
    between(1, 3, Side),
    ( N =:= 1 -> Next = again(Side) ; Points is Side - 2, Next = end(Points) ).
move(b, leave, again(Side), end(Points)) :- Points is Side - 2.
move(b, throw, again(Side), coin(2)) :- Side > 0.

probability(_, coin(_), 1/3).

terminal(_, end(_)).

utility(a, end(N), N).
utility(b, end(N), U) :- U is -N.
