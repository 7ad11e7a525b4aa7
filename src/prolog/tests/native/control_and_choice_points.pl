p(1). p(2). p(3).
max(X, Y, X) :- X >= Y, !. max(_, Y, Y).
len(L, N) :- var(L), !, N = open. len([], 0) :- !. len([_|T], N) :- len(T, M), N is M+1.
if(X, R) :- ( X > 2 -> R = big ; X > 1 -> R = two ; R = small ).
soft(X, R) :- ( p(X), X > 1 *-> R = yes ; R = no ).
none(X) :- \+ p(X). both(X, Y) :- p(X), p(Y), X < Y.
first(X) :- p(X), !. cut(X, Y) :- p(X), ( X > 1, ! ; true ), p(Y).
last([X], X) :- !. last([_|T], X) :- last(T, X).
part(_, [], [], []). part(P, [H|T], [H|L], G) :- H =< P, !, part(P, T, L, G).
part(P, [H|T], L, [H|G]) :- part(P, T, L, G).
qsort([], []). qsort([H|T], S) :- part(H, T, L, G), qsort(L, A), qsort(G, B), append(A, [H|B], S).
kind(X, var) :- var(X). kind(X, atom) :- atom(X). kind(X, int) :- integer(X).
kind(X, num) :- number(X). kind(X, comp) :- compound(X). kind(X, call) :- callable(X).
kind(X, atomic) :- atomic(X). kind(X, str) :- string(X). kind(X, flt) :- float(X).
kind(X, lst) :- is_list(X). kind(X, grd) :- ground(X).
same(X, Y, eq) :- X == Y. same(X, Y, ne) :- X \== Y. same(X, Y, lt) :- X @< Y.
many(X, Y, Z, W, A, B, C, D, E) :- p(X), p(Y), p(Z), p(W), A = X, B = Y, C = Z, D = W, E = t(A, B, C, D).
c(a, 1). c(b, 2). c(c, 3). c(d, 4). c(e, 5). c(f, 6). c(g, 7). c(h, 8). c(a, 9). c(X, X).

?- p(X)
?- max(1, 2, M)
?- max(3, 2, M)
?- max(a, 2, M)
?- len(L, N)
?- len([a,b|T], N)
?- len([a,b,c], N)
?- if(X, R)
?- if(2, R)
?- if(7, R)
?- soft(X, R)
?- soft(0, R)
?- none(4)
?- none(X)
?- both(X, Y)
?- first(X)
?- cut(X, Y)
?- last([1,2,3], X)
?- last(L, x), L = [_,_|_], !
?- qsort([3,1,2,5,4,3], S)
?- qsort([3,X], S)
?- kind(X, K)
?- kind(a, K)
?- kind(1, K)
?- kind(f(X), K)
?- kind([a|T], K)
?- kind("s", K)
?- kind(1.0, K)
?- kind(100000000000000000000, K)
?- same(f(X), f(Y), K)
?- same(f(X), f(X), K)
?- same(1, 1.0, K)
?- many(X, 2, Z, 1, A, B, C, D, E)
?- c(a, X)
?- c(X, 4)
?- c(X, Y)
?- c(z, X)
