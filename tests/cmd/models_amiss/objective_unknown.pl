:- use_module(library(clpfd)).
model([x=X, y=Y]) :- [X,Y] ins 1..9, X #< Y.
objective([x=X, _], max(Total)) :- total(X, Total).
