% `=` where `is` is meant.
% query: len([a, b], 2)
% culprit: 8

len([], 0).
len([_|T], N) :-
    len(T, M),
    N = M + 1.
