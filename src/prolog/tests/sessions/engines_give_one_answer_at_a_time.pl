sum(S0, S) :- engine_fetch(T), S1 is S0 + T, ( S = S1 ; sum(S1, S) ).
acc(S0) :- engine_fetch(X), S is S0 + X, engine_yield(S), acc(S).
lazy(N, N).
lazy(N, M) :- N1 is N + 1, lazy(N1, M).

?- engine_create(X, member(X, [a,b]), _, [alias(e)])
    true
?- engine_next(e, A), engine_next(e, B)
    A = a, B = b
?- engine_next(e, _)
    false
?- engine_next(e, _)
    engine `e` does not exist
?- engine_create(S, sum(0, S), E), engine_post(E, 1, A), engine_post(E, 2, B), Es = [A,B]
    E = '$engine'(2), A = 1, B = 3, Es = [1,3]
?- engine_create(_, acc(0), _, [alias(a)]), findall(R, ( member(X, [1,2,3]), engine_post(a, X, R) ), Rs)
    Rs = [1,3,6]
?- engine_post(a, 1), engine_post(a, 2)
    no permission to post_to the engine `a`
?- engine_create(x, throw(oops), _, [alias(t)]), engine_next_reified(t, R)
    R = exception(oops)
?- engine_create(x, engine_next(s, _), _, [alias(s)]), engine_next(s, _)
    no permission to resume the engine `s`
?- engine_self(_)
    false
?- engine_yield(1)
    no permission to yield the engine `main`
?- engine_create(X, lazy(0, X), _, [alias(l)]), findall(V, ( between(1, 100, _), engine_next(l, V) ), Vs), sum_list(Vs, N), Vs = []
    false
?- engine_next(l, N)
    N = 100
