:- use_module(library(clpfd)).

model(small, [x=X, y=Y]) :- [X,Y] ins 0..9, 2*X + 3*Y #=< 13, X #=< 4.
model(least, [x=X, y=Y]) :- [X,Y] ins 0..9, X + Y #>= 11, X #\= Y.

objective(small, [x=X, y=Y], max(3*X + 4*Y)).
objective(least, [x=X, y=Y], min(X*X + Y*Y)).
