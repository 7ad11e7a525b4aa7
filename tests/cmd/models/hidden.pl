:- use_module(library(clpfd)).
model([x=X]) :- X in 1..6, Y in 2..3, Z in 2..3, X #= Y*Z - 3*W, W in 0..1.
