:- module(shapes, [area/2, count/1, more/0, each/2, twice/2, path/2, op(700, xfx, covers), (covers)/2]).
:- use_module(helpers, [double/2 as twofold]).
:- op(200, xfy, **>).

:- meta_predicate each(1, ?), twice(0, ?).
:- dynamic counter/1.
:- table path/2.

counter(0).
private(shapes).

area(square(A), X) :- X is A * A.
area(rectangle(A, B), X) :- helper(A, B, X).

helper(A, B, X) :- X is A * B.

count(N) :- counter(N).
more :- retract(counter(N)), M is N + 1, assertz(counter(M)).

each(_, []).
each(G, [X|Xs]) :- call(G, X), each(G, Xs).

twice(G, X) :- findall(G, (G ; G), L), length(L, X).

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
edge(b, c).
edge(c, a).

big(X) :- twofold(X, Y), Y > 10.
X covers Y :- member(Y, X), big(Y).
