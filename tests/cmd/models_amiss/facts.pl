:- use_module(library(clpfd)).
model([x=1, y=2]).
model([x=3, y=4]).
