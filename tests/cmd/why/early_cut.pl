% The cut comes before the test that decides.
% query: larger(1, 2, 2)
% culprit: 6

larger(X, Y, M) :-
    !,
    X >= Y,
    M = X.
larger(_, Y, Y).
