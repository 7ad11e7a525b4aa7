:- use_module(library(clpfd)).
model([x=X]) :- X in 1..9, colour(red), X #> 3.
colour(blue).
