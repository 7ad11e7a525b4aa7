% A clause without its full stop, and one that is never closed.
likes(mary, wine)
likes(john, X) :- likes(X, wine).
f(X :- g(X.
