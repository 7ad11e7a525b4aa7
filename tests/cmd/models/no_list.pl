:- use_module(library(clpfd)).
model([x=X,Y]) :- [X,Y] ins 1..3, X #< Y.
