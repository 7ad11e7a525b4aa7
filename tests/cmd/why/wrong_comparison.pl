% A comparison the wrong way round.
% query: maximum([3, 1, 2], 3)
% culprit: 8

maximum([X], X).
maximum([X|Xs], X) :-
    maximum(Xs, Y),
    X < Y.
maximum([X|Xs], Y) :-
    maximum(Xs, Y),
    Y > X.
