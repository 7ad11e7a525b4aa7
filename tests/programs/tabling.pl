% Tabling: left recursion, mutual recursion, cycles, modes, answers once.

:- table path/2.

edge(a, b). edge(b, c). edge(c, a). edge(c, d).

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

:- table reach/2.

reach(X, Y) :- edge(X, Z), reach(Z, Y).
reach(X, Y) :- edge(X, Y).

:- table fib/2.

fib(0, 0).
fib(1, 1).
fib(N, F) :-
    N > 1, N1 is N-1, N2 is N-2,
    fib(N1, F1), fib(N2, F2),
    F is F1+F2.

% The cheapest connection.
:- table cheap(_, _, min).

road(a, b, 4). road(b, a, 4). road(a, c, 1). road(c, b, 2). road(b, d, 5). road(c, d, 9).

cheap(X, X, 0).
cheap(X, Y, C) :- cheap(X, Z, C1), road(Z, Y, C2), C is C1+C2.

% The shortest path itself.
:- table route(_, _, lattice(shorter/3)).

shorter(P1, P2, P) :- length(P1, L1), length(P2, L2), ( L1 =< L2 -> P = P1 ; P = P2 ).

route(X, Y, [X, Y]) :- road(X, Y, _).
route(X, Y, P) :- route(X, Z, P0), road(Z, Y, _), append(P0, [Y], P).

:- table longest(_, po(longer/2)).

longer(N, M) :- N < M.

longest(X, N) :- member(X-N, [a-1, b-5, a-7, b-2, a-3]).

% Two predicates that need each other.
:- table even/1, odd/1.

even(0).
even(N) :- odd(M), M < 10, N is M+1.
odd(N) :- even(M), M < 10, N is M+1.

% A left-recursive grammar.
:- table expr//1, term//1.

expr(X) --> expr(X0), "+", term(Y), { X is X0+Y }.
expr(X) --> expr(X0), "-", term(Y), { X is X0-Y }.
expr(X) --> term(X).
term(X) --> term(X0), "*", digit(Y), { X is X0*Y }.
term(X) --> digit(X).
digit(X) --> [C], { C >= 0'0, C =< 0'9, X is C-0'0 }.

% Interpreter-like groups: a leader with followers, and one group inside another.
:- table p/1, q/1, r/1, s/1.

p(X) :- q(X).
p(1).
q(X) :- r(Y), X is Y+1, X < 6.
q(X) :- p(X).
r(X) :- p(X).
r(X) :- s(X).
s(X) :- s(Y), X is Y+2, X < 9.
s(3).

% No clause ends.
:- table never/1.

never(X) :- never(X).

% Answers with variables, structures and numbers of all kinds.
:- table shape/1.

shape(f(X, Y, X, Y)).
shape(f(_, _, _, _)).
shape(f(A, B, A, B)).
shape("s").
shape(1.0).
shape(1).
shape(100000000000000000000).
shape(100000000000000000000).
shape("s").

% An exception in the middle, and then again without.
:- dynamic broken/0.
:- table risky/1.

risky(1).
risky(X) :- risky(Y), ( broken -> throw(oops) ; true ), X is Y+1, X < 4.

% A cut and a negation over what is complete.
:- table win/1.

move(1, 2). move(2, 3). move(1, 3). move(4, 1). move(3, 5).

win(X) :- move(X, Y), tnot(win(Y)).

:- table draw/1.

draw(X) :- tnot(draw(X)).

first_path(Y) :- path(a, Y), !.

%? findall(Y, path(a, Y), _L), sort(_L, L).
%= Y = _, L = [a,b,c,d]
%? findall(X-Y, path(X, Y), _L), length(_L, N).
%= X = _, Y = _, N = 12
%? findall(Y, reach(b, Y), _L), sort(_L, L), length(_L, N).
%= Y = _, L = [a,b,c,d], N = 4
%? path(d, X).
%= false
%? fib(200, F).
%= F = 280571172992510140037611932413038677189525
%? findall(Y-C, cheap(a, Y, C), _L), sort(_L, L).
%= Y = _, C = _, L = [a-0,b-3,c-1,d-8]
% A bound value is compared with the best one (SWI-Prolog raises an error).
%? cheap(a, d, 8).
%= true
%? cheap(a, d, 9).
%= false
%? route(a, d, _P), length(_P, N).
%= N = 3
%? findall(X-N, longest(X, N), _L), sort(_L, L).
%= X = _, N = _, L = [a-7,b-5]
%? findall(X, even(X), _L), sort(_L, L).
%= X = _, L = [0,2,4,6,8,10]
%? findall(X, odd(X), _L), sort(_L, L).
%= X = _, L = [1,3,5,7,9]
%? atom_codes('1+2*3-4', _Cs), phrase(expr(X), _Cs).
%= X = 3
%? findall(X, p(X), _L), sort(_L, L).
%= X = _, L = [1,2,3,4,5]
%? findall(X, q(X), _L), sort(_L, L).
%= X = _, L = [1,2,3,4,5]
%? findall(X, r(X), _L), sort(_L, L).
%= X = _, L = [1,2,3,4,5,7]
%? findall(X, s(X), _L), sort(_L, L).
%= X = _, L = [3,5,7]
%? never(X).
%= false
%? findall(X, shape(X), _L), length(_L, N).
%= X = _, N = 6
%? assertz(broken).
%= true
%? risky(X).
%! oops
%? risky(X).
%! oops
%? retract(broken), findall(X, risky(X), _L), sort(_L, L).
%= X = _, L = [1,2,3]
%? findall(X, win(X), _L), sort(_L, L).
%= X = _, L = [1,3]
%? draw(x).
%! error(permission_error(negate,tabled_procedure,draw/1))
%? first_path(_), findall(Y, path(a, Y), _L), length(_L, N).
%= Y = _, N = 4
%? abolish_all_tables, path(c, d).
%= true
%? call_with_inference_limit(path(a, b), 3, R), findall(Y, path(a, Y), _L), length(_L, N).
%= R = inference_limit_exceeded, Y = _, N = 4
%? untable(even/1), table(even/1), even(4).
%= true
%? table(last/2), last([1,2,3], X).
%= X = 3
%? table(foo(_, worst)).
%! error(domain_error(tabled_mode,worst))
%? table(_).
%! error(instantiation_error)

% Modes as B-Prolog writes them: `+` is an argument that answers are told apart by.

:- table counted(+, max).
counted([], 0).
counted([_|Xs], N) :- counted(Xs, N0), N is N0 + 1.
counted([_|Xs], N) :- counted(Xs, N).

%? counted([a,b], N).
%= N = 2
