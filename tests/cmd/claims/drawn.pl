% A model that draws random numbers.
:- use_module(library(clpfd)).
model([x=X, y=Y]) :- [X, Y] ins 1..9, random_between(3, 3, N), X + Y #= N.
objective([x=X|_], max(X)).
