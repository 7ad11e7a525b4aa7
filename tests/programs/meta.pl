% Meta-interpreters over clause/2.

:- dynamic([app/3, nat/1, path/2, edge/2, sel/3]).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

nat(0).
nat(s(N)) :- nat(N).

edge(a, b). edge(b, c). edge(c, d). edge(a, d).
path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

sel(X, [X|T], T).
sel(X, [H|T], [H|R]) :- sel(X, T, R).

% the vanilla one
solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve((A ; B)) :- !, ( solve(A) ; solve(B) ).
solve(A) :- predicate_property(A, built_in), !, call(A).
solve(H) :- clause(H, B), solve(B).

% with a depth limit
solve(true, _) :- !.
solve((A, B), D) :- !, solve(A, D), solve(B, D).
solve(H, D) :- D > 0, D1 is D-1, clause(H, B), solve(B, D1).

% with a proof
prove(true, true) :- !.
prove((A, B), (PA, PB)) :- !, prove(A, PA), prove(B, PB).
prove(H, (H :- P)) :- clause(H, B), prove(B, P).

% that counts
count(true, 0) :- !.
count((A, B), N) :- !, count(A, NA), count(B, NB), N is NA+NB.
count(H, N) :- clause(H, B), count(B, N0), N is N0+1.

% iterative deepening
deepen(G, D) :- between(0, 10, D), solve(G, D), !.

%? solve(app(X, Y, [1,2])).
%= X = [], Y = [1,2]
%= X = [1], Y = [2]
%= X = [1,2], Y = []
%? solve((app([1], [2], L), L = [_|T])).
%= L = [1,2], T = [2]
%? solve(nat(s(s(0)))).
%= true
%? solve(nat(N), 3).
%= N = 0
%= N = s(0)
%= N = s(s(0))
%? prove(path(a, c), P).
%= P = (path(a,c):-(edge(a,b):-true),(path(b,c):-(edge(b,c):-true)))
%? count(app([1,2,3], [], _), N).
%= N = 4
%? deepen(path(a, c), D).
%= D = 3
%? solve((path(a, X) ; X = none)).
%= X = b
%= X = d
%= X = c
%= X = d
%= X = none
%? clause(nat(X), B).
%= X = 0, B = true
%= X = s(_), B = nat(_)
%? clause(_, B).
%! error(instantiation_error)
%? clause(4, B).
%! error(type_error(callable,4))
%? clause(nosuch(1), B).
%= false
%? assertz((path(X, X) :- true)), findall(X, path(d, X), L), retract((path(Y, Y) :- true)).
%= X = _, L = [d], Y = _
