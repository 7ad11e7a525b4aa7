% Both throw a die in turn; who first throws a six wins.  Play may go on for ever, with probability 0.

initial_state(throw(a)).

initial_player(a).

opponent(a, b).
opponent(b, a).

to_move(die(_), chance) :- !.
to_move(throw(J), J).
to_move(won(J), J).

move(J, throw, throw(J), die(J)).
move(chance, six, die(J), won(J)).
move(chance, other, die(J), throw(O)) :- opponent(J, O).

probability(six, _, 1/6).
probability(other, _, 5/6).

terminal(_, won(_)).

utility(J, won(J), U) :- !, U = 1.
utility(_, won(_), -1).
