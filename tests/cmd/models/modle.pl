:- use_module(library(clpfd)).
modle([x=X,y=Y]) :- [X,Y] ins 1..3, X #< Y.
