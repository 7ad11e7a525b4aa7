% A string where the facts have atoms.
% query: red_thing(apple)
% culprit: 9

colour(apple, red).
colour(grass, green).

red_thing(X) :-
    colour(X, "red").
