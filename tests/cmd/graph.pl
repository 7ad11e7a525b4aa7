% Ways in a graph, for the tracer.

edge(a, b).
edge(a, c).
edge(c, d).

% path(X, Y): a way leads from X to Y.

path(X, X).
path(X, Z) :- edge(X, Y), path(Y, Z).

reached(X, Ys) :- findall(Y, path(X, Y), Ys).

ask(X) :- ( edge(X, _) -> true ; edge(X, _) ; edge(X, _), write(X) ).

wrong(X) :- path(X, Y), Z is Y + 1, write(Z).

count(N) :- count(N, 0).
count(N, N) :- !.
count(I, N) :- J is N + 1, edge(a, _), count(I, J).
