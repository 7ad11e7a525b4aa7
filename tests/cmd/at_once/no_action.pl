% Nobody can do anything.
players([ann, bob]).
payoff([_, _], [0, 0]).
payoffs_are(here).
