% Left recursion in a plain program.
%! W0513 5
parent(a, b). parent(b, c).
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Y) :- ancestor(X, Z), parent(Z, Y).
