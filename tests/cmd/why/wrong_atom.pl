% An atom is spelt otherwise than in the facts.
% query: happy(mary)
% culprit: 9

likes(mary, wine).
likes(john, food).

happy(X) :-
    likes(X, whine).
