% A variable is spelt in two ways: its value gets lost.
% query: total([1, 2], 3)
% culprit: 8

total([], 0).
total([X|Xs], S) :-
    total(Xs, S0),
    S is X + So.
