app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []). nrev([H|T], R) :- nrev(T, S), app(S, [H], R).
sel(X, [X|T], T). sel(X, [H|T], [H|R]) :- sel(X, T, R).
perm([], []). perm(L, [H|T]) :- sel(H, L, R), perm(R, T).
tree(nil). tree(t(L, _, R)) :- tree(L), tree(R).
mirror(nil, nil). mirror(t(L, X, R), t(S, X, M)) :- mirror(R, S), mirror(L, M).
deep(f(g(h(X, Y), [Z|W]), "text", 1.5, 123456789012345678901234567890), X, Y, Z, W).

?- app(X, Y, [1,2,3])
?- numlist(1, 60, L), nrev(L, R)
?- perm([a,b,c], P)
?- perm([X,Y,Z], [1,2,3])
?- mirror(t(t(nil,1,nil),2,X), M)
?- tree(T)
?- deep(A, 1, 2, 3, [])
?- deep(f(g(B, C), D, E, F), 1, 2, 3, 4)
?- deep(f(g(h(1), C), D, E, F), 1, 2, 3, 4)
?- app(L, [x], L2), L2 = [_,_,_|_], !
