% Runs that stand still while something changes: clauses, cuts, engines.

%# Clauses are those of the time when a goal began (7.5.4): it still meets one that was removed.
% Clauses are kept while an engine may stand in them.
:- dynamic(f/1).
f(1).
f(2).
f(3).
%? findall(_X, ( retract(f(_X)), ( _X =:= 1 -> retract(f(2)) ; true ) ), Xs).
%= Xs = [1,2,3]
%? f(_).
%= false
%? assertz(f(1)), assertz(f(2)), engine_create(_X, retract(f(_X)), _, [alias(e)]), engine_next(e, A).
%= A = 1
%? assertz(f(9)), engine_next(e, B).
%= B = 2
%? forall(between(1, 100, _I), ( assertz(f(_I)), retract(f(_I)) )), engine_next(e, _).
%= false
%? current_predicate(f/N).
%= N = 1

%# Cuts and formats.
%? G = ( ( _X = 1 ; _X = 2 ), ( ! *-> true ) ), findall(_X, G, Xs).
%= G = ((_=1;_=2),(!*->true)), Xs = [1,2]
%? format(atom(A), "~3s|~s", ["abcdef", [0'g]]).
%= A = 'abc|g'

%# Engines give one answer at a time.
sum(S0, S) :- engine_fetch(T), S1 is S0 + T, ( S = S1 ; sum(S1, S) ).
acc(S0) :- engine_fetch(X), S is S0 + X, engine_yield(S), acc(S).
lazy(N, N).
lazy(N, M) :- N1 is N + 1, lazy(N1, M).
%? engine_create(_X, member(_X, [a,b]), _, [alias(e)]).
%= true
%? engine_next(e, A), engine_next(e, B).
%= A = a, B = b
%? engine_next(e, _).
%= false
%? engine_next(e, _).
%~ engine `e` does not exist
%? engine_create(_S, sum(0, _S), E), engine_post(E, 1, A), engine_post(E, 2, B).
%= E = '$engine'(2), A = 1, B = 3
%? engine_create(_, acc(0), _, [alias(a)]), findall(_R, ( member(_X, [1,2,3]), engine_post(a, _X, _R) ), Rs).
%= Rs = [1,3,6]
%? engine_post(a, 1), engine_post(a, 2).
%~ no permission to post_to the engine `a`
%? engine_create(x, throw(oops), _, [alias(t)]), engine_next_reified(t, R).
%= R = exception(oops)
%? engine_create(x, engine_next(s, _), _, [alias(s)]), engine_next(s, _).
%~ no permission to resume the engine `s`
%? engine_self(_).
%= false
%? engine_yield(1).
%~ no permission to yield the engine `main`
%? engine_create(_X, lazy(0, _X), _, [alias(l)]), findall(_V, ( between(1, 100, _), engine_next(l, _V) ), _Vs), sum_list(_Vs, _), _Vs = [].
%= false
%? engine_next(l, N).
%= N = 100
