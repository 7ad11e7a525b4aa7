% Three choose a side; who stands alone pays the others.
players([a, b, c]).

action(_, _, left).
action(_, _, right).

payoff([X, X, X], [0, 0, 0]) :- !.
payoff([X, X, _], [1, 1, -2]) :- !.
payoff([X, _, X], [1, -2, 1]) :- !.
payoff([_, X, X], [-2, 1, 1]).
