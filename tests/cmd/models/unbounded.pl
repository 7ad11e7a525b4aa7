:- use_module(library(clpfd)).
model([x=X, qs=[Y,Z]]) :- X in 1..3, Y #> X, Z in 1..2.
