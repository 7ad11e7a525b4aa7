% A table of payoffs that draws random numbers.
players([a, b]).
action(_, _, A) :- member(A, [heads, tails]).
payoff([A, B], [U, V]) :- random_between(2, 2, R), ( A == B -> U = R ; U is -R ), V is -U.
