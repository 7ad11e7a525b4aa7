:- use_module(library(clpfd)).

model(fine, [a=A, b=B]) :- [A,B] ins 1..9, A + B #= 10, A #> B.
model(failing, [a=A, b=B]) :- [A,B] ins 1..9, A + B #= 10, A == B.
model(raising, [a=A]) :- A in 1..9, A > 3.
model(open, [x=X, y=Y]) :- X #> Y.
model(nameless, [X]) :- X in 1..3.
model(best, [x=X]) :- X in 1..9.
model(unvalued, [x=X]) :- X in 1..9.
model(powers, [x=X, y=Y]) :- [X,Y] ins 1..100, X^10 #= Y^10 + 1.
model(Name, [x=X]) :- member(Name, [low, lower]), X in 1..3.

objective(best, [x=X], max(X)).
objective(unvalued, [x=X], X).
