% Chance: values by hand, probabilities that are none. A coin for 2 points or none, or 1 point for sure, once.

initial_state(start).
initial_player(a).
opponent(a, b).
opponent(b, a).
to_move(coin, chance) :- !.
to_move(start, a).
to_move(got(_), b).
move(a, take, start, got(1)).
move(a, toss, start, coin).
move(chance, heads, coin, got(2)).
move(chance, tails, coin, got(-1)).
terminal(_, got(_)).
utility(a, got(N), N).
utility(b, got(N), U) :- U is -N.

%# A coin by hand.
probability(heads, _, 3/4).
probability(tails, _, 1/4).
%? solve_game(a, S, V).
%= S = start, V = 5/4
%? expectiminimax(a, _, 0, inf, R).
%= R = [toss,5/4]
%? best_move(a, _, M), winning(a, _).
%= M = toss
% Where chance is to move the value is told for each player.
%? solve_game(chance, coin, V).
%= V = [a-5/4,b- -5/4]
%? count_states(N), count_plays(P), perft(_, 2, T).
%= N = 5, P = 3, T = 2
%? playouts(a, _, 10, [R|_]).
%= R = played(take,5,1.0,5,0,0)
%? mcts(a, start, M, V, [playouts(2000), seed(3)]).
%= M = toss, V = 1.25
%? negamax(a, _, 0, 3).
%~ negamax can't play where chance moves
%? strategy(a, _, _).
%~ strategy/3 can't play where chance moves
%? maxn(a, _, 0, 3).
%~ maxn can't play

%# Moves without a probability are equally likely.
%? negamax(a, _, 0, 3).
%~ negamax can't play where chance moves
%? solve_game(a, _, V), best_move(a, _, M).
%= V = 1, M = take
%? solve_game(chance, coin, [a-V|_]).
%= V = 1/2

%# Probabilities may be floats.
probability(heads, _, 0.75).
probability(tails, _, 0.25).
%? solve_game(a, _, V).
%= V = 1.25

%# Probabilities may be computed.
probability(M, _, P) :- P is 1 - 0.5, atom(M).
%? solve_game(chance, coin, [a-V|_]).
%= V = 0.5

%# Probabilities that do not add up.
probability(_, _, 1/3).
%? solve_game(a, _, _).
%~ add up to 2/3, not to 1, in state coin
%? expectiminimax(a, _, 0, 4).
%~ add up to 2/3, not to 1, in state coin
%? mcts(a, _, _, _).
%~ add up to 2/3, not to 1, in state coin

%# Floats that do not add up.
probability(_, _, 0.5001).
%? solve_game(a, _, _).
%~ add up to 1.0002, not to 1
%? expectiminimax(a, _, 0, 4).
%~ add up to 1.0002, not to 1
%? mcts(a, _, _, _).
%~ add up to 1.0002, not to 1

%# A probability below zero.
probability(heads, _, 3/2).
probability(tails, _, -1/2).
%? solve_game(a, _, _).
%~ `tails` in an answer
%? expectiminimax(a, _, 0, 4).
%~ `tails` in an answer
%? mcts(a, _, _, _).
%~ `tails` in an answer

%# A probability of zero.
probability(heads, _, 1).
probability(tails, _, 0).
%? solve_game(a, _, _).
%~ probability/3 is 0
%? expectiminimax(a, _, 0, 4).
%~ probability/3 is 0
%? mcts(a, _, _, _).
%~ probability/3 is 0

%# A move without a probability, beside one that has one.
probability(heads, _, 1).
%? solve_game(a, _, _).
%~ probability/3 has no answer for the move `tails`
%? expectiminimax(a, _, 0, 4).
%~ probability/3 has no answer for the move `tails`
%? mcts(a, _, _, _).
%~ probability/3 has no answer for the move `tails`

%# A probability without a value.
probability(_, _, _).
%? solve_game(a, _, _).
%~ the probability of the move `heads` has no value
%? expectiminimax(a, _, 0, 4).
%~ the probability of the move `heads` has no value
%? mcts(a, _, _, _).
%~ the probability of the move `heads` has no value

%# A probability that is an atom.
probability(_, _, often).
%? solve_game(a, _, _).
%~ is `often`, which is no number
%? expectiminimax(a, _, 0, 4).
%~ is `often`, which is no number
%? mcts(a, _, _, _).
%~ is `often`, which is no number

%# A fraction that is no number.
probability(_, _, 1/0).
%? solve_game(a, _, _).
%~ which is no number
%? expectiminimax(a, _, 0, 4).
%~ which is no number
%? mcts(a, _, _, _).
%~ which is no number

%# An error in probability/3.
probability(_, _, P) :- P is foo.
%? solve_game(a, _, _).
%~ there is no function foo/0
%? expectiminimax(a, _, 0, 4).
%~ there is no function foo/0
%? mcts(a, _, _, _).
%~ there is no function foo/0

%# Values stay within their bounds.
utility_bounds(-2, 2).
%? expectiminimax(a, _, 0, inf, [M, V]).
%= M = take, V = 1

%# Values beyond their bounds.
utility_bounds(-1, 1).
%? expectiminimax(a, _, 0, inf).
%~ utility/3 says -2, and utility_bounds/2 from -1 to 1
%? solve_game(a, _, V).
%= V = 1
