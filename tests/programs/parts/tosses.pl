% Probabilities that depend on the state.

initial_state(toss(0)).
initial_player(a).
opponent(a, b).
opponent(b, a).
to_move(toss(_), chance) :- !.
to_move(_, a).
move(chance, heads, toss(N), toss(M)) :- N < 2, M is N + 1.
move(chance, tails, toss(N), over(N)) :- N < 2.
move(chance, heads, toss(2), over(2)).
terminal(_, over(_)).
utility(a, over(N), N).
utility(b, over(N), U) :- U is -N.

%# Facts for each state.
probability(heads, toss(0), 1/3).
probability(tails, toss(0), 2/3).
probability(heads, toss(1), 1/4).
probability(tails, toss(1), 3/4).
probability(heads, toss(2), 1).
%? solve_game(chance, toss(0), [a-V|_]).
%= V = 5/12

%# The same moves in two states, with other probabilities.
probability(heads, toss(N), P) :- ( N < 2 -> P = 1/2 ; P = 1 ).
probability(tails, _, 1/2).
%? solve_game(chance, toss(0), [a-V|_]).
%= V = 3/4

%# No probabilities.
%? solve_game(chance, toss(0), [a-V|_]).
%= V = 3/4

%# All three states have the same moves, whose probabilities do not add up in one of them.
probability(heads, _, 1/2).
probability(tails, _, 1/2).
%? solve_game(chance, toss(0), _).
%~ add up to 1/2, not to 1, in state toss(2)
