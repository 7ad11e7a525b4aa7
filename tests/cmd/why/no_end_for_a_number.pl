% No clause for 0.

countdown(N) :-
    N > 0,
    M is N - 1,
    countdown(M).
