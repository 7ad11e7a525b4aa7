likes(mary, wine)
likes(john, X) :- likes(X, wine.
color(red).
