:- module(deep, [deepest/1, hidden/1]).
deepest(X) :- private(X).
hidden(1).
private(deep).
