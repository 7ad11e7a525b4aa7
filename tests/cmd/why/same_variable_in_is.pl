% A variable is to get a new value.
% query: next(1, 2)
% culprit: 6

next(N, M) :-
    N is N + 1,
    M = N.
