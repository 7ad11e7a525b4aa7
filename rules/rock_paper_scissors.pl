% Rock, paper, scissors.
%
% Both show a hand at the same time.  Rock blunts scissors, scissors cut paper,
% paper wraps rock; the same hand twice is a draw.
%
% All choose at once, once: there is no state.  The game is its table of payoffs,
% and it is worth playing again and again, against somebody who is not random.
%
% Things to try: `zug nash` says how not to lose.  Play against history(3) to 50,
% then against mixture([1,2,3]), and ask with `expect` what it thought of you.
% Let rock beat paper too, now and then, and see the equilibrium move.

players([one, two]).

action(_, _, Hand) :- hand(Hand).

hand(rock).
hand(paper).
hand(scissors).

beats(rock, scissors).
beats(scissors, paper).
beats(paper, rock).

payoff([A, B], [1, -1]) :- beats(A, B).
payoff([A, B], [-1, 1]) :- beats(B, A).
payoff([A, A], [0, 0]) :- hand(A).

% Players for `zug match` and `zug tournament`.  strategy(Name, Own, Others, Hand):
% Own and Others are the hands shown so far, the latest first.

strategy(cycle, Own, _, Hand) :- cycle(Own, Hand).          % always the same round
strategy(copycat, _, [], rock).                             % what the other showed last
strategy(copycat, _, [Last|_], Last).
strategy(avenger, _, [], paper).                            % what would have won
strategy(avenger, _, [Last|_], Hand) :- beats(Hand, Last).

cycle([], rock).
cycle([rock|_], paper).
cycle([paper|_], scissors).
cycle([scissors|_], rock).
