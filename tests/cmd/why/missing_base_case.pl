% The recursion over a list has no clause for its end.
% query: all_positive([1, 2])
% culprit: 7

all_positive([X|Xs]) :-
    X > 0,
    all_positive(Xs).
