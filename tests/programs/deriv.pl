% Symbolic differentiation and simplification.

d(X, X, 1) :- !.
d(C, _, 0) :- atomic(C), !.
d(U+V, X, DU+DV) :- d(U, X, DU), d(V, X, DV).
d(U-V, X, DU-DV) :- d(U, X, DU), d(V, X, DV).
d(-U, X, -DU) :- d(U, X, DU).
d(U*V, X, DU*V+U*DV) :- d(U, X, DU), d(V, X, DV).
d(U/V, X, (DU*V-U*DV)/V^2) :- d(U, X, DU), d(V, X, DV).
d(U^N, X, N*U^N1*DU) :- integer(N), N1 is N-1, d(U, X, DU).
d(sin(U), X, cos(U)*DU) :- d(U, X, DU).
d(exp(U), X, exp(U)*DU) :- d(U, X, DU).

s(E, S) :- E =.. [Op,A,B], !, s(A, A1), s(B, B1), r(Op, A1, B1, S).
s(-A, S) :- !, s(A, A1), ( number(A1) -> S is -A1 ; S = -A1 ).
s(E, E).

r(+, 0, X, X) :- !.
r(+, X, 0, X) :- !.
r(-, X, 0, X) :- !.
r(-, X, X, 0) :- !.
r(*, 0, _, 0) :- !.
r(*, _, 0, 0) :- !.
r(*, 1, X, X) :- !.
r(*, X, 1, X) :- !.
r(^, X, 1, X) :- !.
r(^, _, 0, 1) :- !.
r(Op, A, B, C) :- number(A), number(B), !, E =.. [Op,A,B], C is E.
r(Op, A, B, E) :- E =.. [Op,A,B].

diff(E, X, D) :- d(E, X, D0), s(D0, D), !.

%? d(x*x, x, D).
%= D = 1*x+x*1
%? diff(x*x, x, D).
%= D = x+x
%? diff(3*x^2+2*x+1, x, D).
%= D = 3*(2*x)+2
%? diff((x+1)/(x-1), x, D).
%= D = (x-1-(x+1))/(x-1)^2
%? diff(sin(x^2), x, D).
%= D = cos(x^2)*(2*x)
%? diff(-x, x, D).
%= D = -1
%? diff(exp(2*x)*x, x, D).
%= D = exp(2*x)*2*x+exp(2*x)
%? diff(a+b, x, D).
%= D = 0
