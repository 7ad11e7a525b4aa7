:- module(quoted, [text/1]).
text("a").
hidden(1).
