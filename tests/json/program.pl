% A program of odd things, for the tests of records.
:- initialization(format("loaded~n")).

greets :- write('hello "you"\n'), format("~w~n", [ünïcödé]).
quiet :- write(no_newline).
deep(0, end) :- !.
deep(N, s(X)) :- M is N - 1, deep(M, X).
double(0, leaf) :- !.
double(N, t(X, X)) :- M is N - 1, double(M, X).
cyclic(X) :- X = f(X, end).
fails_within(X) :- helper(X), number(X).
helper(X) :- Y is X + a, write(Y).
loops :- loops.
counts(X) :- between(1, inf, X).
stops :- write(before), halt(7).
eats(X) :- eats([X, X, X, X | X]).
