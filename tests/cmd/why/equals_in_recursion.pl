% `=` where `is` is meant: the end of the recursion is never met.
% query: countdown(3)
% culprit: 7

countdown(0).
countdown(N) :-
    N1 = N - 1,
    countdown(N1).
