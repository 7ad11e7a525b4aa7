% 7.5.4: what was taken away meanwhile is still met. Clauses are kept while an engine may stand in them.
:- dynamic(f/1).
f(1). f(2). f(3).

?- findall(X, ( retract(f(X)), ( X =:= 1 -> retract(f(2)) ; true ) ), Xs)
    Xs = [1,2,3]
?- f(_)
    false
?- assertz(f(1)), assertz(f(2)), engine_create(X, retract(f(X)), _, [alias(e)]), engine_next(e, A)
    A = 1
?- assertz(f(9)), engine_next(e, B)
    B = 2
?- forall(between(1, 100, I), ( assertz(f(I)), retract(f(I)) )), engine_next(e, _)
    false
?- current_predicate(f/N)
    N = 1
