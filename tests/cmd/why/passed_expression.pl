% N - 1 is passed on as it stands.
% query: factorial(3, 6)
% culprit: 8

factorial(0, 1).
factorial(N, F) :-
    N > 0,
    factorial(N - 1, F1),
    F is N * F1.
