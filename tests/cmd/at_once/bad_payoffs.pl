% The last payoffs are one too many.
players([ann, bob]).

action(_, _, left).
action(_, _, right).

payoff([left,  left],  [1, 1]).
payoff([left,  right], [0, 1/2]).
payoff([right, left],  [0.5, 0]).
payoff([right, right], [2, 2, 2]).
