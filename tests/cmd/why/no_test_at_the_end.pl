% The recursive clause matches at the end too: another answer is looked for beyond it.
% query: factorial(3, 7)
% culprit: 8

factorial(0, 1).
factorial(N, F) :-
    N1 is N - 1,
    factorial(N1, F1),
    F is N * F1.
