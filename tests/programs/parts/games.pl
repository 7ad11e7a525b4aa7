% Small games: forms of the contract, errors, what is known when rules change.

initial_player(x).
opponent(x, o).
opponent(o, x).

%# The same player moves twice where the state says so.
initial_state(s(a, 3)).
initial_player(a).
opponent(a, b).
opponent(b, a).
to_move(s(J, _), J).
move(J, one, s(J, N), s(A, M)) :- opponent(J, A), N > 0, M is N - 1.
move(J, two, s(J, N), s(J, M)) :- N > 1, M is N - 2.
terminal(_, s(_, 0)).
utility(J, s(K, 0), U) :- ( J == K -> U = 1 ; U = -1 ).
%? negamax(a, S, 0, 9, R).
%= S = s(a,3), R = [one,-1]

%# What is known is forgotten when the rules change.
:- dynamic(most/1).
most(3).
initial_state(5).
move(_, K, N, M) :- most(Most), between(1, Most, K), K =< N, M is N - K.
terminal(_, 0).
utility(_, 0, 1).
%? losing(x, 5).
%= true
%? retract(most(3)), assertz(most(2)), winning(x, 5).
%= true
%? losing(x, 4).
%= true

%# What rules see in addition to clauses counts as a change.
initial_state(5).
:- flag(lim, _, 3).
move(_, M, S, T) :- flag(lim, X, X), between(1, X, M), T is S - M, T >= 0.
terminal(_, 0).
utility(_, _, 1).
%? solve_game(x, 5, V), flag(lim, _, 2), solve_game(x, 5, W).
%= V = -1, W = 1

%# A name that is no player changes nothing.
initial_state(0).
move(_, M, S, T) :- member(M, [1,2]), T is S + M.
terminal(_, S) :- S >= 4.
utility(_, _, 1).
%? winning(z, 0).
%~ `opponent(z, A)` has no answer
%? solve_game(x, 0, V), negamax(x, 0, 0, inf, [M, W]).
%= V = -1, M = 1, W = -1

%# An exact line rests on no estimate.
initial_state(7).
move(_, M, S, T) :- e(S, M, T).
e(7, c0, 8).
e(8, a0, 9).
e(8, c1, 10).
e(9, a0, 11).
e(9, b2, 12).
e(10, a0, 11).
e(12, a0, 13).
terminal(_, 11).
terminal(_, 13).
utility(x, 11, -1).
utility(o, 11, 1).
utility(x, 13, 2).
utility(o, 13, -2).
heuristic(_, 11, -1) :- !.
heuristic(_, 13, -1) :- !.
heuristic(x, 10, -1) :- !.
heuristic(_, S, H) :- H is S mod 2.
%? principal_variation(x, 7, inf, L).
%= L = [c0,c1,a0]

%# Values are compared exactly or refused.
initial_state(r).
move(_, M, r, M) :- member(M, [a,b,c]).
terminal(_, S) :- S \== r.
utility(_, a, V) :- V is -(10**29 + 1).
utility(_, _, 0).
%? negamax(x, r, 0, inf, R).
%~ is an integer of more than 60 bits, in state a

%# Engines run inside engines, up to a depth.
initial_state(0).
move(_, M, S, T) :- member(M, [1,2]), T is S + M.
utility(_, _, 1).
terminal(_, S) :- S >= 4.
heuristic(J, S, H) :- negamax(J, S, 0, 0, [_, H]).
%? negamax(x, 0, 0, 1, R).
%~ more than 16 engines run inside each other

%# Engines inside engines that come to an end.
initial_state(0).
move(_, M, S, T) :- member(M, [1,2]), T is S + M.
utility(_, _, 1).
terminal(_, S) :- S >= 4.
heuristic(_, 0, 0) :- !.
heuristic(J, S, H) :- S0 is S - 1, negamax(J, S0, 0, 0, [_, H]).
%? negamax(x, 0, 0, 2, [M, V]).
%= M = 1, V = 0

%# A symmetry with infinitely many images.
initial_state(0).
move(_, M, S, T) :- member(M, [1,2]), T is S + M.
terminal(_, S) :- S >= 4.
utility(_, _, 1).
symmetry(S, T) :- T is S + 1.
%? solve_game(x, 0, V).
%~ symmetry/2 leads to more than 400 states from one
