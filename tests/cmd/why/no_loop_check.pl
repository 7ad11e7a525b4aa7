% A path through a graph with a cycle, without a list of what was visited.
% query: path(a, z)
% culprit: 11

edge(a, b).
edge(b, a).

path(X, X).
path(X, Z) :-
    edge(X, Y),
    path(Y, Z).
