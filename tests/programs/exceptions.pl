% catch/3 and throw/1: balls, unwinding, rethrowing, clean-up.

p(1). p(2). p(3).
find(X) :- p(X), ( X >= 2 -> throw(found(X)) ; true ).

safe_div(X, Y, Z) :- catch(Z is X/Y, error(evaluation_error(E), _), Z = E).

% Where an error occurred does not depend on what was evaluated before it.
ev(E, C) :- C is E.
add(A, B) :- C is A + B, number(C).
less(A, B) :- max(A, 5) < abs(B).
context(Goal, Context) :- catch(Goal, error(_, context(Context, _)), true).

deep(0) :- throw(bottom).
deep(N) :- N1 is N-1, deep(N1), true.

%? catch(find(_), found(X), true).
%= X = _
%= X = 2
%? catch(throw(a), b, true).
%! a
%? catch(catch(throw(a), b, true), a, true).
%= true
%? catch((member(X, [1,2,3]), X > 1, throw(x(X))), x(Y), true).
%= X = _, Y = 2
%? safe_div(1, 0, Z).
%= Z = zero_divisor
%? safe_div(4, 2, Z).
%= Z = 2
%? catch(deep(10000), B, true).
%= B = bottom
%? catch((X = 1, throw(oops)), oops, true), var(X), Y = unbound.
%= X = _, Y = unbound
%? catch(throw(f(X, X, _)), f(A, B, C), true), A == B, B \== C, D = shared.
%= X = _, A = _, B = _, C = _, D = shared
%? catch(undefined_here, error(existence_error(K, PI), _), true).
%= K = procedure, PI = undefined_here/0
%? catch(atom_length(_, _), error(E, _), true).
%= E = instantiation_error
% ISO 8.16.1.3
%? catch(atom_length(f(x), _), error(E, _), true).
%= E = type_error(atom,f(x))
%? catch(atom_length(abc, foo), error(E, _), true).
%= E = type_error(integer,foo)
%? catch(X is foo+1, error(E, _), true).
%= X = _, E = type_error(evaluable,foo/0)
%? catch(X is a, error(E, _), true).
%= X = _, E = type_error(evaluable,a/0)
%? catch(call(1), error(E, _), true).
%= E = type_error(callable,1)
%? catch(call((fail, 1)), error(E, _), true).
%= E = type_error(callable,(fail,1))
%? catch(call((write(x), 1)), error(E, _), true).
%= E = type_error(callable,(write(x),1))
%? catch(arg(x, f(a), _), error(E, _), true).
%= E = type_error(integer,x)
%? catch(functor(_, _, _), error(E, _), true).
%= E = instantiation_error
%? catch(functor(_, foo, -1), error(E, _), true).
%= E = domain_error(not_less_than_zero,-1)
%? catch(number_codes(_, "3x"), error(syntax_error(_), _), true).
%= true
%? catch(throw(_), error(E, _), true).
%= E = instantiation_error
%? catch((between(1, 3, X), X >= 2, throw(stop(X))), stop(N), true).
%= X = _, N = 2
%? catch(p(X), _, true).
%= X = 1
%= X = 2
%= X = 3
%? catch(fail, _, true).
%= false
%? catch(setup_call_cleanup(true, throw(inner), write(cleaned)), inner, true).
%> cleaned
%= true
%? setup_call_cleanup(write(a), write(b), write(c)).
%> abc
%= true
%? catch(call_cleanup(fail, write(c)), _, true).
%> c
%= false
%? catch((catch(throw(a), a, throw(b))), b, true).
%= true
%? catch((catch(member(X, [1, 2]), _, write(inner)), atom_length(_, _)), error(_, _), write(outer)).
%> outer
%= X = _
%? throw(ball).
%! ball
%? atom_length(X, Y).
%! error(instantiation_error)
%? undefined_here(1, 2).
%! error(existence_error(procedure,undefined_here/2))
%? context(ev(a + 1, _), C) ; less(1, 9), context(ev(a + 1, _), C) ; context(ev(_, _), C).
%= C = (is)/2
%= C = (is)/2
%= C = (is)/2
%? context(a < 1, C) ; add(1, 2.5), context(a < 1, C) ; between(1, 2, _), context(call(1), C).
%= C = (<)/2
%= C = (<)/2
%= C = call/1
%= C = call/1
