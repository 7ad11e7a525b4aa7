% assert and retract, the logical update view, flags and globals, recorded terms.

:- dynamic fact/1, counter/1, memo/2, stack/1, q/1.

counter(0).
next(N) :- retract(counter(N0)), N is N0+1, assertz(counter(N)).

fib(N, F) :- memo(N, F), !.
fib(N, F) :- N < 2, !, F = N.
fib(N, F) :- A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB, asserta(memo(N, F)).

push(X) :- asserta(stack(X)).
pop(X) :- retract(stack(X)), !.

static(1).

q(1). q(2). q(3).

%? next(A), next(B), next(C).
%= A = 1, B = 2, C = 3
%? counter(N).
%= N = 3
%? fib(60, F).
%= F = 1548008755920
%? push(1), push(2), pop(X), pop(Y).
%= X = 2, Y = 1
%? pop(_).
%= false
%? assertz(fact(1)), assertz(fact(2)), asserta(fact(0)), findall(X, fact(X), L).
%= X = _, L = [0,1,2]
%? retract(fact(1)), findall(X, fact(X), L).
%= X = _, L = [0,2]
%? retract(fact(X)).
%= X = 0
%= X = 2
%? fact(_).
%= false
%? q(X), assertz(q(9)).
%= X = 1
%= X = 2
%= X = 3
%? findall(X, q(X), L).
%= X = _, L = [1,2,3,9,9,9]
%? retract(q(9)), q(X), X > 2, X < 9.
%= X = 3
%= X = 3
%= X = 3
%? retractall(q(9)), findall(X, q(X), L).
%= X = _, L = [1,2,3]
%? (q(X), retract(q(X)), fail ; true), \+ q(_).
%= X = _
%? assertz((double(X, Y) :- Y is 2*X)), double(4, R).
%= X = _, Y = _, R = 8
%? retract((double(_, _) :- B)), B = (_ is _).
%= B = (_ is 2*_)
%? double(1, _).
%= false
%? retractall(never_seen(_)), \+ never_seen(1).
%= true
%? never_seen(_).
%= false
%? abolish(fact/1), catch(fact(_), error(_, _), true).
%= true
%? asserta(static2(1)), assertz((static2(X) :- X = 2, !)), assertz(static2(3)), findall(X, static2(X), L).
%= X = _, L = [1,2]
%? assertz((foo :- 4)).
%! error(type_error(callable,4))
%? assertz((4 :- foo)).
%! error(type_error(callable,4))
%? assertz(_).
%! error(instantiation_error)
%? assertz((atom(_) :- true)).
%! error(permission_error(modify,static_procedure,atom/1))
%? retract((atom(_) :- true)).
%! error(permission_error(modify,static_procedure,atom/1))
%? abolish(foo/a).
%! error(type_error(integer,a))
%? abolish(atom/1).
%! error(permission_error(modify,static_procedure,atom/1))
%? nb_setval(k, f(1)), nb_getval(k, V).
%= V = f(1)
%? b_setval(v, 1), b_getval(v, X).
%= X = 1
%? (b_setval(w, 1), fail ; true).
%= true
%? nb_setval(cnt, 0), forall(between(1, 5, _), (nb_getval(cnt, C), C1 is C+1, nb_setval(cnt, C1))), nb_getval(cnt, N).
%= C = _, C1 = _, N = 5
%? flag(my_flag, Old, Old+3), flag(my_flag, New, New).
%= Old = 0, New = 3
%? recordz(key, a), recordz(key, b), recorda(key, z), findall(X, recorded(key, X), L).
%= X = _, L = [z,a,b]
%? predicate_property(static(_), dynamic).
%= false
%? predicate_property(stack(_), dynamic).
%= true
%? nb_getval(no_such_key, V).
%! error(existence_error(variable,no_such_key))
