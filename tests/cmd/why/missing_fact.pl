% One edge of the graph was forgotten.
% query: path(a, e)
% culprit: 12

edge(a, b).
edge(b, c).
edge(d, e).

path(X, X).
path(X, Z) :-
    % no edge leads on from c
    edge(X, Y),
    path(Y, Z).
