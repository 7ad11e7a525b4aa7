% Naive reverse, and the list predicates every textbook begins with.

nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

range(N, N, [N]) :- !.
range(I, N, [I|L]) :- I < N, I1 is I+1, range(I1, N, L).

bench(0) :- !.
bench(N) :- range(1, 30, L), nrev(L, _), N1 is N-1, bench(N1).

% These hide the predicates of the library.
member(X, [X|_]).
member(X, [_|T]) :- member(X, T).

last([X], X).
last([_|T], X) :- last(T, X).

%? nrev([a,b,c], L).
%= L = [c,b,a]
%? range(1, 10, L), nrev(L, R).
%= L = [1,2,3,4,5,6,7,8,9,10], R = [10,9,8,7,6,5,4,3,2,1]
%? app(X, Y, [a,b]).
%= X = [], Y = [a,b]
%= X = [a], Y = [b]
%= X = [a,b], Y = []
%? app(_X, [b|_], [a,b]).
%= true
%? app([a], X, [b]).
%= false
%? bench(50).
%= true
%? member(X, [a,b]).
%= X = a
%= X = b
%? last([a,b,c], X).
%= X = c
