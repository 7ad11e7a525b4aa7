% A condition without an else branch.
% query: size(2, S)
% culprit: 6

size(X, S) :-
    ( X > 3 -> S = big ).
