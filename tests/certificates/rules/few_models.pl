:- use_module(library(clpfd)).

% Models so small that all values can be tried.

model(small, [x=X, y=Y]) :- [X,Y] ins 0..9, 2*X + 3*Y #=< 13, X #=< 4.
model(five, [x=X, y=Y]) :- [X,Y] ins 0..5, X + Y #= 5, X #\= 2.
model(none, [x=X, y=Y]) :- [X,Y] ins 0..5, X + Y #= 11.

objective(small, [x=X, y=Y], max(3*X + 4*Y)).
