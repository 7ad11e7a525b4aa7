% Lists of answers that are no moves: what collects them is meant itself.
%! W0507 5
%! W0507 6
%! W0507 10
start(s(0)).
goal(s(N)) :- findall(X, divisor(N, X), L), length(L, 4).
divisor(N, X) :- between(1, 12, X), 0 is N mod X.
blocked(S, D) :- S + D > 12.
moves(S, Ns) :- findall(N, ( member(D, [1, 2]), \+ blocked(S, D), next(S, D, N) ), Ns).
next(S, D, N) :- N is S + D.
