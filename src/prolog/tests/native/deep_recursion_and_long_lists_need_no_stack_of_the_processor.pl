count(N, N) :- !. count(I, N) :- J is I+1, count(J, N).
len([], 0). len([_|T], N) :- len(T, M), N is M+1.
build(0, []) :- !. build(N, [N|T]) :- M is N-1, build(M, T).
nest(0, z) :- !. nest(N, s(T)) :- M is N-1, nest(M, T).

?- count(0, 300000)
?- build(100000, L), len(L, N), L = []
?- build(100000, L), len(L, N), N > 99999, write(N)
?- nest(100000, T), nest(100000, S), T == S, T = S, write(y)
