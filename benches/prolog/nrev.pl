app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).

range(N, N, [N]) :- !.
range(I, N, [I|T]) :- I < N, I1 is I+1, range(I1, N, T).

bench(0, _) :- !.
bench(N, L) :- nrev(L, _), N1 is N-1, bench(N1, L).
% nrev of 30 elements = 496 logical inferences
main :- range(1, 30, L), count(N), bench(N, L), write(done(N)), nl.
count(100000).
