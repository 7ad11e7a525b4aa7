% Simultaneous games of several stages.

players([a, b]).
initial_state(s).
action(_, _, 0).
action(_, _, 1).
terminal(end(_, _)).
utility(a, end(U, _), U).
utility(b, end(_, U), U).

%# General sums follow one equilibrium. The second stage is a dilemma for those who get there.
joint_move([0, 0], s, t).
joint_move([0, 1], s, end(2, 2)).
joint_move([1, _], s, end(0, 0)).
joint_move([0, 0], t, end(3, 3)).
joint_move([0, 1], t, end(0, 5)).
joint_move([1, 0], t, end(5, 0)).
joint_move([1, 1], t, end(1, 1)).
%? solve_game(J, t, V).
%= J = a, V = 1
%= J = b, V = 1
%? solve_game(a, _, V).
%= V = 2

%# Play that comes back.
joint_move(_, X, X).
%? nash(_, _).
%~ play can come back to where it was, in state s

%# A joint move is missing.
joint_move([0, 0], s, end(1, 1)).
%? nash(_, _).
%~ joint_move/3 has no answer for the actions [0,1], in state s

%# Two results of the same actions.
joint_move(_, s, end(1, 1)).
joint_move(_, s, end(2, 2)).
%? nash(_, _).
%~ joint_move/3 leads to several states by the actions [0,0], in state s, part:3:1

%# A move to an unbound variable.
joint_move(_, s, _).
%? nash(_, _).
%~ the move joint_move/3 leads to an unbound variable, in state s, part:2:1

%# A utility that is no number.
joint_move(_, s, end(1, x)).
%? nash(_, _).
%~ `x` in an answer of utility/3 is no number, in state end(1,x), common:9:1

%# More than two players without a pure equilibrium.
players([a, b, c]).
terminal(e(_)).
joint_move(As, s, e(As)).
utility(c, _, 0).
utility(a, e([X, X, _]), U) :- !, U = 1.
utility(a, _, 0).
utility(b, e([X, X, _]), U) :- !, U = 0.
utility(b, _, 1).
%? nash(_, _).
%~ more than two players have no pure equilibrium, in state s
