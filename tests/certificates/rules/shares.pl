% All choose at once; what they get are fractions, so that a float in the place of one is something else.

players([one, two]).

action(_, _, "left").
action(_, _, right).
action(_, _, 1.0).

payoff(["left", "left"], [1/3, 2/3]).
payoff(["left", right],  [2/3, 1/3]).
payoff(["left", 1.0],    [0, 0]).
payoff([right, "left"],  [2/3, 1/3]).
payoff([right, right],   [1/3, 2/3]).
payoff([right, 1.0],     [0, 0]).
payoff([1.0, _],         [-1, 1/2]).
