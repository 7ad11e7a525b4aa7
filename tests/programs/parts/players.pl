% Whose turn it is: no players, two, three.

%# A game without players.
initial_state(7).
move(take(K), N, M) :- member(K, [1,2]), M is N - K, M >= 0.
%? winning(J, 7), losing(J, 6), grundy(7, G).
%= J = first, G = 1

%# The player is in the state.
initial_state(left(7, a)).
to_move(left(_, J), J).
move(take(K), left(N, J), left(M, A)) :- next(J, A), member(K, [1,2]), M is N - K, M >= 0.
next(a, b).
next(b, a).
terminal(left(0, _)).
utility(left(0, _), -1).
% Three are left to the loser every time.
%? solve_game(J, S, V), best_move(J, S, M).
%= J = a, S = left(7,a), V = 1, M = take(1)
%? solve_game(a, left(6, a), V), winning(b, left(4, b)).
%= V = -1

%# A state that names a third player, in a game of two.
initial_state(s(0, a)).
to_move(s(_, J), J).
move(M, s(N, J), s(N1, K)) :- member(M, [1,2]), N1 is N + M, N1 =< 5, nx(J, K).
nx(a, b).
nx(b, c).
nx(c, a).
terminal(s(N, _)) :- N >= 4.
utility(J, s(N, _), U) :- ( J == a -> U is N ; J == b -> U is 5 - N ; U is 2*N - 9 ).
%? solve_game(J, S, V).
%~ to_move/2 says that `c` moves, who is none of the players
%? maxn(J, S, 0, inf, R).
%~ to_move/2 says that `c` moves, who is none of the players
%? negamax(J, S, 0, 9, R).
%~ to_move/2 says that `c` moves, who is none of the players

%# Three players.
initial_state(s(0, a)).
to_move(s(_, J), J).
move(M, s(N, J), s(N1, K)) :- member(M, [1,2]), N1 is N + M, N1 =< 5, opponent(J, K).
opponent(a, b).
opponent(b, c).
opponent(c, a).
terminal(s(N, _)) :- N >= 4.
utility(J, s(N, _), U) :- ( J == a -> U is N ; J == b -> U is 5 - N ; U is 2*N - 9 ).
%? solve_game(J, _, V), maxn(J, _, 0, inf, [_, Vs]).
%= J = a, V = 5, Vs = [a-5,b-0,c-1]
%? winning(b, s(1, c)).
%~ it is the turn of c, not of `b`
%? strategy(a, _, T).
%~ strategy/3 is for two players; this game has 3

%# A state that names nobody.
initial_state(0).
to_move(s, a).
move(M, S, T) :- member(M, [1,2]), T is S + M.
terminal(S) :- S >= 4.
utility(_, 1).
%? solve_game(a, 0, V).
%~ to_move/2 doesn't say who is to move

%# No first player.
initial_state(2).
opponent(a, b).
opponent(b, a).
move(_, down, N, M) :- N > 0, M is N - 1.
terminal(_, 0).
utility(_, 0, 1).
heuristic(_, _, 0).
%? negamax(J, S, 0, 4).
%~ the program has no initial_player/1

%# No heuristic.
initial_state(2).
initial_player(a).
opponent(a, b).
opponent(b, a).
move(_, down, N, M) :- N > 0, M is N - 1.
terminal(_, 0).
utility(_, 0, 1).
%? negamax(J, S, 0, 1).
%~ the program has no heuristic/3, in state 1

%# One player alone, and chance takes its turn in the circle.
initial_state(s(0, 0)).
initial_player(a).
opponent(a, chance).
opponent(chance, a).
move(a, go, s(N, 0), s(N, 1)) :- N < 2.
move(a, stop, s(N, 0), over(N)).
move(chance, up, s(N, 1), s(M, 0)) :- M is N + 1.
move(chance, down, s(_, 1), over(0)).
probability(up, _, 2 rdiv 3).
probability(down, _, 1/3).
terminal(_, over(_)).
utility(_, over(N), N).
% Twice up: 4/9 times 2.
%? solve_game(_, _, V), best_move(_, _, M).
%= V = 8/9, M = go
%? expectiminimax(_, _, 0, inf, R).
%= R = [go,8/9]
%? alphabeta(_, _, 0, inf).
%~ alphabeta is for two players
