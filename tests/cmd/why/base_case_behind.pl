% The clause for the end stands behind the recursive one, which matches too.
% query: factorial(3, 6)
% culprit: 7

factorial(N, F) :-
    N1 is N - 1,
    factorial(N1, F1),
    F is N * F1.
factorial(0, 1).
