% The battle of the sexes: together, but where?
players([ann, bob]).

action(_, _, Where) :- member(Where, [opera, boxing]).

payoff([opera,  opera],  [3, 2]).
payoff([boxing, boxing], [2, 3]).
payoff([A, B], [0, 0]) :- A \== B.
