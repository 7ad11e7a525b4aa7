:- op(1200, xfx, ?=>).
len([], N) => N = 0. len([_|T], N) => len(T, M), N is M+1.
kind(1, K) => K = one. kind(X, K), integer(X), X > 5 => K = big. kind(f(_), K) => K = f. kind(a, K) => K = a.
same(X, X) => true. same(_, f(_)) => fail.
try(1, X) ?=> X = a. try(1, X) => X = b. try(2, _) ?=> fail. try(_, X) => X = rest.
sum([], S, T) => T = S. sum([H|L], S, T) => R is S+H, sum(L, R, T).
deep(f(X, [Y|_]), Y) => X = 1.

?- len([a,b], N)
?- len(L, N)
?- len([a|T], N)
?- len(x, N)
?- kind(1, K)
?- kind(7, K)
?- kind(3, K)
?- kind(X, K)
?- kind(f(Y), K)
?- kind(a, one)
?- same(X, X)
?- same(X, Y)
?- same(1, f(2))
?- same(f(X), f(X))
?- try(1, X)
?- try(2, X)
?- try(Y, X)
?- sum([1,2,3], 0, T)
?- sum([1,x], 0, T)
?- sum([1|T], 0, S)
?- deep(f(X, [2]), Y)
?- deep(f(X, [2]), 2)
?- deep(f(X, Z), 2)
