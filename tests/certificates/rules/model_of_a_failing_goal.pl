:- use_module(library(clpfd)).

model([x=X]) :- X in 1..3, 1 =:= 2.
