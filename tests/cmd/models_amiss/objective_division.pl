:- use_module(library(clpfd)).
model([x=X]) :- X in 1..9.
objective([x=X], min(X / 2)).
