% An element where a list is wanted.
% query: turned([1, 2], [2, 1])
% culprit: 8

turned([], []).
turned([X|Xs], Ys) :-
    turned(Xs, Zs),
    append(Zs, X, Ys).
