% The prisoner's dilemma, once and again.  (M. Flood and M. Dresher 1950; the
% tournament is that of R. Axelrod, The evolution of cooperation, 1984.)
%
% Both choose at once to cooperate or to defect.  Whatever the other does, who
% defects has more; and if both do, both have less than they could have.
%
% Things to try: `zug nash FILE --eliminate`, once.  Then a tournament of the
% players below, with --rounds 200: who wins most matches, and who is paid most?
% Write a player who forgives, and one who tests the others.

players([ann, bob]).

action(_, _, cooperate).
action(_, _, defect).

payoff([cooperate, cooperate], [3, 3]).
payoff([cooperate, defect],    [0, 5]).
payoff([defect,    cooperate], [5, 0]).
payoff([defect,    defect],    [1, 1]).

% strategy(Name, Own, Others, Action): what a player of this name does when Own and
% Others were played so far, the latest first.

strategy(always_cooperate, _, _, cooperate).

strategy(always_defect, _, _, defect).

% Begins friendly, then does what the other did.
strategy(tit_for_tat, _, [], cooperate).
strategy(tit_for_tat, _, [Last|_], Last).

% Defects only when the other did twice.
strategy(tit_for_two_tats, _, Others, Action) :-
    (   Others = [defect, defect|_]
    ->  Action = defect
    ;   Action = cooperate
    ).

% Friendly until the other defects for the first time.
strategy(grudger, _, Others, Action) :-
    (   memberchk(defect, Others)
    ->  Action = defect
    ;   Action = cooperate
    ).

% Stays with what was paid well, changes what was not.  (Pavlov.)
strategy(win_stay_lose_shift, [], [], cooperate).
strategy(win_stay_lose_shift, [Own|_], [Other|_], Action) :-
    (   Own == Other
    ->  Action = cooperate
    ;   Action = defect
    ).
