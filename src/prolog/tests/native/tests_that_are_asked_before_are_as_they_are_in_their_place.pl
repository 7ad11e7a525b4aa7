:- dynamic woken/1.
p(X, Y, a) :- X > 0, Y > 1, q. p(_, _, b). q.
s(f(_), Y) :- Y > 1, q. s(_, _).
t(A, A, Y) :- Y > 1, q. t(_, _, _).
u(f(a), Y) :- Y > 1, q. u(_, _).
n(A, B, R) :- S = f(B, B), A \= B, R = S. n(_, _, none).
eq(X, X, a, b, c, d). long(N) :- functor(S, f, N), numlist(1, N, L), T =.. [f|L],
    O = o(P, Q, R, U), member(_, [1, 2]), eq(S, T, P, Q, R, U), O == O, fail.
cl(0) :- !. cl(N) :- setup_call_cleanup(true, member(_, [1, 2]), true), !, M is N-1, cl(M).
many(1, a). many(2, b). many(3, c). many(4, d). many(5, e). many(6, f). many(7, g).
many(8, h). many(9, i). many(f(1), j). many(f(2), k). many(f(3), l). many(X, X).
five(a, _, _, _, 1). five(a, _, _, _, 2). five(b, _, _, _, 3).

?- p(_, 0, Z)
?- p(1, 0, Z)
?- freeze(A, assertz(woken(s))), s(A, 0)
?- freeze(A, assertz(woken(t))), t(A, b, 0)
?- freeze(A, assertz(woken(u))), u(f(A), 0)
?- woken(X)
?- freeze(A, (numlist(1, 3000, L), length(L, _), fail)), n(A, b, R)
?- freeze(A, numlist(1, 3000, _)), n(A, b, R)
?- between(1, 300, N), long(N)
?- between(4000, 4200, N), long(N)
?- cl(50)
?- many(f(2), X)
?- many(X, g)
?- many(z, X)
?- five(a, x, x, x, 1)
?- five(X, x, x, x, 3)
