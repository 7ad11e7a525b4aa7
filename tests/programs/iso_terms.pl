% The examples of ISO/IEC 13211-1, sections 8.2 to 8.7: unification, type tests,
% comparison, creating and taking terms apart, arithmetic.

%? '='(1, 1).
%= true
%? '='(X, 1).
%= X = 1
%? '='(X, Y).
%= X = _, Y = _
%? '='(_, _).
%= true
%? '='(X, Y), '='(X, abc).
%= X = abc, Y = abc
%? '='(f(X, def), f(def, Y)).
%= X = def, Y = def
%? '='(1, 2).
%= false
%? '='(1, 1.0).
%= false
%? '='(g(X), f(f(X))).
%= false
%? '='(f(X, 1), f(a(X))).
%= false
%? '='(f(X, Y, X), f(a(X), a(Y), Y, 2)).
%= false
%? unify_with_occurs_check(1, 1).
%= true
%? unify_with_occurs_check(X, f(X)).
%= false
%? unify_with_occurs_check(f(X, 1), f(a(X))).
%= false
%? '\\='(1, 1).
%= false
%? \=(_X, 1).
%= false
%? '\\='(1, 1.0).
%= true
%? var(foo).
%= false
%? var(_).
%= true
%? foo = Foo, var(Foo).
%= false
%? atom(atom), atom('string'), \+ atom(a(b)), \+ atom(_), \+ atom(6).
%= true
% ISO 6.3.1.3: the empty list is an atom
%? atom([]), atomic([]), [] == '[]'.
%= true
%? integer(3), \+ integer(_), integer(-3), \+ integer(3.3), \+ integer(a).
%= true
%? float(3.3), float(-3.3), \+ float(3), \+ float(atom), \+ float(_).
%= true
%? atomic(atom), atomic(2.3), \+ atomic(_), \+ atomic(a(b)).
%= true
%? compound(33.3) ; compound(-33.3) ; compound(_) ; compound(a).
%= false
%? compound(-(1)), compound(a(b)), compound([a]), compound(- (1)).
%= true
% ISO 6.3.1.3
%? compound([]).
%= false
%? nonvar(33.3), nonvar(foo), nonvar(a(b)), \+ nonvar(_).
%= true
%? number(3), number(3.3), \+ number(a), \+ number(_).
%= true
%? '@=<'(1.0, 1), '@<'(1.0, 1), '@=<'(aardvark, zebra), '@=<'(short, short), '@=<'(short, shorter).
%= true
%? '@>='(short, shorter).
%= false
%? '@<'(foo(b, a), foo(a, b)).
%= false
%? foo(a, X) == foo(a, X).
%= X = _
%? foo(a, _X) == foo(a, _Y).
%= false
%? '\\=='(1, 1).
%= false
%? compare(O, 3, 5), compare(P, d, d).
%= O = <, P = =
%? compare(<, <, !).
%= false
%? functor(foo(a, b, c), foo, 3).
%= true
%? functor(foo(a, b, c), X, Y).
%= X = foo, Y = 3
%? functor(X, foo, 3).
%= X = foo(_,_,_)
%? functor(X, foo, 0).
%= X = foo
%? functor(mats(A, B), A, B).
%= A = mats, B = 2
%? functor(foo(a), foo, 2).
%= false
%? functor(foo(a), fo, 1).
%= false
%? functor(1, X, Y).
%= X = 1, Y = 0
%? functor(X, 1.1, 0).
%= X = 1.1
% ISO 6.3.5: lists are terms with the functor '.'/2
%? functor([_|_], F, A).
%= F = '.', A = 2
%? functor([], F, A).
%= F = [], A = 0
%? functor(X, Y, 3).
%! error(instantiation_error)
%? functor(X, foo, N).
%! error(instantiation_error)
%? functor(X, foo, a).
%! error(type_error(integer,a))
%? functor(X, 1.5, 1).
%! error(type_error(atom,1.5))
%? functor(X, foo(a), 1).
%! error(type_error(atomic,foo(a)))
%? functor(T, foo, -1).
%! error(domain_error(not_less_than_zero,-1))
%? arg(1, foo(a, b), a).
%= true
%? arg(1, foo(a, b), X).
%= X = a
%? arg(1, foo(X, b), a).
%= X = a
%? arg(1, foo(X, b), Y), X == Y.
%= X = _, Y = _
%? arg(1, foo(a, b), b).
%= false
%? arg(0, foo(a, b), foo).
%= false
%? arg(3, foo(3, 4), N).
%= false
%? arg(a, foo(a, b), _).
%! error(type_error(integer,a))
%? arg(0, atom, _).
%! error(type_error(compound,atom))
%? arg(0, 3, _).
%! error(type_error(compound,3))
%? arg(N, foo(a, b), a).
%= N = 1
%? '=..'(foo(a, b), [foo, a, b]).
%= true
%? '=..'(X, [foo, a, b]).
%= X = foo(a,b)
%? '=..'(foo(a, b), L).
%= L = [foo,a,b]
%? '=..'(foo(X, b), [foo, a, Y]).
%= X = a, Y = b
%? '=..'(1, [1]).
%= true
%? '=..'(foo(a, b), [foo, b, a]).
%= false
%? '=..'(_, _).
%! error(instantiation_error)
%? '=..'(_, [foo|_]).
%! error(instantiation_error)
%? '=..'(_, [foo|bar]).
%! error(type_error(list,[foo|bar]))
%? '=..'(_, [_, bar]).
%! error(instantiation_error)
%? '=..'(_, [3, 1]).
%! error(type_error(atom,3))
%? '=..'(_, [1.1, foo]).
%! error(type_error(atom,1.1))
%? '=..'(_, [a(b), 1]).
%! error(type_error(atom,a(b)))
%? '=..'(_, 4).
%! error(type_error(list,4))
% ISO 8.5.3.3 h
%? '=..'(_, []).
%! error(domain_error(non_empty_list,[]))
%? copy_term(_, 3).
%= true
%? copy_term(_, a).
%= true
%? copy_term(a+X, X+b).
%= X = a
%? copy_term(X+X+_, A+B+B), A == B, R = shared.
%= X = _, A = _, B = _, R = shared
%? copy_term(a, b).
%= false
%? copy_term(a+X, X+b), copy_term(a+X, X+b).
%= false
%? is(X, 1+2).
%= X = 3
%? 'is'(3, 1+2).
%= true
%? 'is'(3.0, 1+2).
%= false
%? 'is'(foo, 77).
%= false
%? 'is'(77, N).
%! error(instantiation_error)
%? 'is'(X, foo).
%! error(type_error(evaluable,foo/0))
%? '=:='(0, 1).
%= false
%? '=:='(1.0, 1).
%= true
%? '=:='(3*2, 7-1).
%= true
%? '=:='(N, 5).
%! error(instantiation_error)
%? '=\\='(0, 1), '<'(0, 1), '>'(1, 0), '=<'(1.0, 1), '>='(3*2, 7-1).
%= true
%? '<'(2, a).
%! error(type_error(evaluable,a/0))
%? X is 7 + 35, Y is 0 + (3+11), Z is 0 + (3.2+11).
%= X = 42, Y = 14, Z = 14.2
%? X is '+'(77, N).
%! error(instantiation_error)
%? X is foo+77.
%! error(type_error(evaluable,foo/0))
%? X is '-'(7), Y is '-'(3-11), Z is '-'(3.2-11).
%= X = -7, Y = 8, Z = 7.8
%? X is '-'(N).
%! error(instantiation_error)
%? X is 7 - 35, Y is 20 * 2, Z is 7 / 2.0.
%= X = -28, Y = 40, Z = 3.5
%? X is '//'(140, 3+11), Y is 7 // 2, Z is '*'(1.5, 14).
%= X = 10, Y = 3, Z = 21.0
%? X is 'mod'(7, 3), Y is 'mod'(0, 3+11), Z is 'mod'(7, -2).
%= X = 1, Y = 0, Z = -1
%? X is 'mod'(77, N).
%! error(instantiation_error)
%? X is 'mod'(foo, 77).
%! error(type_error(evaluable,foo/0))
%? X is 'mod'(7.5, 2).
%! error(type_error(integer,7.5))
%? X is 'mod'(7, 0).
%! error(evaluation_error(zero_divisor))
%? X is floor(7.4), Y is floor(-0.4), Z is round(7.5), W is round(7.6).
%= X = 7, Y = -1, Z = 8, W = 8
%? X is round(-0.6), Y is round(N).
%! error(instantiation_error)
%? X is ceiling(-0.5), Y is truncate(-0.5), Z is truncate(foo).
%! error(type_error(evaluable,foo/0))
%? X is float(7), Y is float(7.3), Z is float(5//3).
%= X = 7.0, Y = 7.3, Z = 1.0
%? X is abs(7), Y is abs(3-11), Z is abs(3.2-11.0).
%= X = 7, Y = 8, Z = 7.8
%? X is '**'(5, 3), Y is '**'(-5.0, 3), Z is '**'(5.0, 3).
%= X = 125, Y = -125.0, Z = 125.0
%? X is sin(0.0), Y is cos(0.0), Z is atan(0.0).
%= X = 0.0, Y = 1.0, Z = 0.0
%? X is exp(0.0), Y is log(1.0), Z is sqrt(4.0).
%= X = 1.0, Y = 0.0, Z = 2.0
%? X is sqrt(-1.0).
%! error(evaluation_error(undefined))
%? X is '>>'(16, 2), Y is '<<'(16, 2), Z is '>>'(19, 2).
%= X = 4, Y = 64, Z = 4
%? X is '/\\'(10, 12), Y is '\\/'(10, 12), Z is '\\'('\\'(10)).
%= X = 8, Y = 14, Z = 10
%? X is '>>'(1.0, 2).
%! error(type_error(integer,1.0))
%? X is '\\'(N).
%! error(instantiation_error)
%? X is '\\/'(125, 17*256).
%= X = 4477
