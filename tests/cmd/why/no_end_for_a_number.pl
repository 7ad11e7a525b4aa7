% No clause for 0.
% query: countdown(2)
% culprit: 6

countdown(N) :-
    N > 0,
    M is N - 1,
    countdown(M).
