:- use_module(library(clpfd)).
initial_state(1). final_state(3). rule(inc, 1, X, Y) :- X < 5, Y is X+1.
model([x=X]) :- X in 1..3, X #> 1.
