% Errors of games name the predicate, the player and the state.

initial_state(2).
initial_player(a).
opponent(a, b).
opponent(b, a).
move(_, down, N, M) :- N > 0, M is N - 1.
terminal(_, 0).
utility(_, 0, 1).
heuristic(_, _, 0).

%# A state without moves that is not terminal.
terminal(_, -1).
%? solve_game(J, S, V).
%~ move/4 has no answer for player a, and the game is not over, in state 0

%# An opponent is missing.
opponent(a, b).
%? negamax(J, S, 0, 4).
%~ `opponent(b, A)` has no answer

%# Opponents in a circle without the first player.
opponent(a, b).
opponent(b, b).
%? negamax(J, S, 0, 4).
%~ opponent/2 never comes back to `a`

%# A utility without a value.
utility(_, 0, _).
%? negamax(J, S, 0, 4).
%~ the utility has no value in an answer of utility/3, in state 0

%# A utility that is no number.
utility(_, 0, won).
%? solve_game(J, S, V).
%~ the utility in an answer of utility/3 is `won`, which is no number, in state 0

%# No utility.
utility(_, 5, 1).
%? negamax(J, S, 0, 4).
%~ utility/3 has no answer for player a, in state 0

%# A move to an unbound variable.
move(_, down, N, _) :- N > 0.
%? negamax(J, S, 0, 4).
%~ the move `down` leads to an unbound variable, in state 2

%# A name that is no player.
%? negamax(z, 2, 0, 4).
%~ `opponent(z, A)` has no answer

%# An engine for two players.
opponent(a, b).
opponent(b, c).
opponent(c, a).
%? alphabeta(J, S, 0, 4).
%~ alphabeta is for two players; this game has 3
