% A game in which both choose at once: a penalty kick.
%
% The kicker shoots to the left or the right, the keeper jumps to one side.  Payoffs
% are how often such a kick is a goal, in per cent.
%
% It runs as it is.  Change it piece by piece into a game of your own, and after each
% change look at what became of it:
%
%     zug check simultaneous.pl   looks for mistakes
%     zug solve simultaneous.pl   how should each of them mix the sides?
%     zug nash simultaneous.pl --all   all equilibria
%     zug play simultaneous.pl    play it, round after round
%     zug test simultaneous.pl    runs the tests at the end
%
% How to read it: names begin with a small letter, variables with a capital; _ is a
% variable that is of no interest.  :- means "if", a comma "and".  What ends with a
% full stop is a clause.


% --- 1. The players: players(Js) ------------------------------------------------

players([kicker, keeper]).


% --- 2. What each may do: action(J, S, A) ---------------------------------------
%
% The player J may take the action A.  A game of one round has no states: S is _.

action(_, _, left).
action(_, _, right).


% --- 3. What comes of it: payoff(Actions, Payoffs) ------------------------------
%
% For each way to act, in the order of the players, what each of them gets.

payoff([Shot, Jump], [Goals, Loss]) :-
    goals(Shot, Jump, Goals),
    Loss is -Goals.             % `is` calculates; `=` would leave it as it stands

% goals(Shot, Jump, Percent): of a hundred kicks so many are goals.
goals(left,  left,  50).
goals(left,  right, 90).
goals(right, left,  95).
goals(right, right, 70).


% --- 4. Tests: what must stay true while you change things ----------------------

:- begin_tests(penalty).

test(one_gets_what_the_other_loses) :-
    forall(payoff(_, [A, B]), A + B =:= 0).

test(two_sides_each, true(Count == 4)) :-
    aggregate_all(count, payoff(_, _), Count).

:- end_tests(penalty).
