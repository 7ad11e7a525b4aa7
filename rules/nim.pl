% Nim, the game of the film "Last Year at Marienbad" with a single heap.
%
% Matches lie on the table.  Two players in turn take one, two or three of them.
% Who takes the last one loses.
%
% A state is the number of matches that are left.
%
% Things to try: which numbers are lost for the player to move?  Then change the
% three facts below, guess the rule for them, and let the solver check it; make
% the guess a heuristic/3 and see how little depth is needed for perfect play.

matches(16).            % on the table at the beginning
most(3).                % that a player may take at a time
last_match(loses).      % or wins: what becomes of the player who takes it

initial_state(N) :- matches(N).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(_, take(K), N1, N2) :-
    most(Most),
    Limit is min(Most, N1),
    between(1, Limit, K),
    N2 is N1 - K.

terminal(_, 0).

% The last match was taken by the opponent of the player to move.
utility(_, 0,  1) :- last_match(loses).
utility(_, 0, -1) :- last_match(wins).

% Nothing is known before the end.
heuristic(J, 0, H) :- !, utility(J, 0, H).
heuristic(_, _, 0).

print_state(N) :-
    forall(between(1, N, _), write(' |')), nl.
