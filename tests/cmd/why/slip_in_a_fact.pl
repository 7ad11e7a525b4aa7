% A slip in a fact, not in the test.
% query: small_and_red(tomato)
% culprit: 9

colour(rose, red).
colour(tomato, red).

size(rose, small).
size(tomato, smal).

small_and_red(X) :-
    colour(X, red),
    size(X, S),
    S == small.
