% A sum is worked out before its parts are known.
% query: total([1, 2], 3)
% culprit: 7

total([], 0).
total([X|Xs], S) :-
    S is X + S1,
    total(Xs, S1).
