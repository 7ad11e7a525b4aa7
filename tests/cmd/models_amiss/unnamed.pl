:- use_module(library(clpfd)).

model(one, [x=X]) :- X in 1..3.
model(Name, [x=X]) :- X in 1..9, X > 3, Name = two.
