:- use_module(library(clpfd)).
label_open :- X #> 3, [X,Y] = Vars, Y in 1..2, label(Vars).
compare :- X in 1..9, X < 3.
divide :- X #= 3 / Y, Y in 1..3.
options :- X in 1..9, labeling([ff,leftmost], [X]).
