:- use_module(library(clpfd)).
model([x=X,y=Y]) :- [X,Y] ins 1..3, X #< Y.
objective(min(3)).
