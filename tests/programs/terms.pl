% Looking into terms and building them; standard order; copying; unification.

%? functor(f(a,b), N, A).
%= N = f, A = 2
%? functor(T, f, 2), T = f(1, 2).
%= T = f(1,2)
%? functor(T, a, 0).
%= T = a
%? arg(2, f(a,b,c), X).
%= X = b
%? arg(N, f(a,b), X).
%= N = 1, X = a
%= N = 2, X = b
%? arg(3, f(a), X).
%= false
%? f(a,b) =.. L.
%= L = [f,a,b]
%? T =.. [g,1,2].
%= T = g(1,2)
%? T =.. [a].
%= T = a
%? X =.. [1].
%= X = 1
%? copy_term(f(X,Y,X), f(A,B,C)), A == C, A \== B, R = ok.
%= X = _, Y = _, A = _, B = _, C = _, R = ok
%? copy_term(a, X).
%= X = a
%? setarg(1, f(a), b).
%= true
%? T = f(a,b), setarg(1, T, x).
%= T = f(x,b)
%? T = f(a,b), ( setarg(1, T, x), fail ; true ).
%= T = f(a,b)
%? T = f(0), nb_setarg(1, T, 5), arg(1, T, X).
%= T = f(5), X = 5
%? term_variables(f(X, g(Y), X, _), L), length(L, N).
%= X = _, Y = _, L = [_,_,_], N = 3
%? X = f(X1, b), Y = f(a, Y1), X = Y.
%= X = f(a,b), X1 = a, Y = f(a,b), Y1 = b
%? f(X, b) = f(a, Y).
%= X = a, Y = b
%? f(X) = f(X, Y).
%= false
%? a = b.
%= false
%? X = Y, Y = 1.
%= X = 1, Y = 1
%? unify_with_occurs_check(X, f(X)).
%= false
%? unify_with_occurs_check(f(X, Y), f(Y, a)).
%= X = a, Y = a
%? a \= b, \+ a \= a.
%= true
%? X == X, \+ X == Y, f(X) \== f(Y).
%= X = _, Y = _
%? compare(O, 1, 2), compare(P, b, a), compare(Q, x, x).
%= O = <, P = >, Q = =
%? compare(O, 1, 1.0), compare(P, 1.0, 1), compare(Q, 2, 1.5).
%= O = >, P = <, Q = >
%? msort([b, 2, f(x), "s", 1.0, a, Z, g(a,b), 1, f(a), [], [x]], L), nonvar(L), L = [V|T], var(V), T = [A1,A2,A3,A4|_].
%= Z = _, L = [_,1.0,1,2,"s",[],a,b,f(a),f(x),[x],g(a,b)], V = _, T = [1.0,1,2,"s",[],a,b,f(a),f(x),[x],g(a,b)], A1 = 1.0, A2 = 1, A3 = 2, A4 = "s"
%? X = f(Z), X @< f(a), a @< f(Z), 1 @< a, f(a) @< f(b), f(b) @< f(a,a), g(a) @> f(b).
%= X = f(_), Z = _
%? sort([c-3, a-1, b-2, a-0], L).
%= L = [a-0,a-1,b-2,c-3]
%? sort([f(2), f(1,1), e(3), z, 10, 9], L).
%= L = [9,10,z,e(3),f(2),f(1,1)]
%? var(X), X = 1, nonvar(X), integer(X), number(X), atomic(X).
%= X = 1
%? atom(a), \+ atom(f(x)), \+ atom(1), compound(f(x)), \+ compound(a), callable(a), callable(f(x)), \+ callable(1).
%= true
%? float(1.0), \+ float(1), is_list([a,b]), \+ is_list([a|_]), ground(f(a)), \+ ground(f(_)).
%= true
%? subsumes_term(f(_), f(a)), \+ subsumes_term(f(a), f(_)).
%= true
%? f(A,B,A) =@= f(C,D,C).
%= A = _, B = _, C = _, D = _
%? f(A,B) =@= f(C,C).
%= false
%? length(L, 2), L = [a|_].
%= L = [a,_]
%? length([a,b,c], N).
%= N = 3
%? length(L, N), N >= 2, !.
%= L = [_,_], N = 2
%? length(a, N).
%! error(type_error(list,a))
%? length([a|b], N).
%! error(type_error(list,[a|b]))
%? length(L, a).
%! error(type_error(integer,a))
%? length([a,b|T], 3).
%= T = [_]
%? nb_setval(t, f(_)), nb_getval(t, T), T = f(1), nb_getval(t, U).
%= T = f(1), U = f(1)
%? numbervars(f(X,Y,X), 0, E), X = '$VAR'(N).
%= X = A, Y = B, E = 2, N = 0
%? T = f(_,_), numbervars(T, 23, E), print(T), nl.
%> f(X,Y)
%= T = f(X,Y), E = 25
%? X = "abc", string(X), \+ atom(X).
%= X = "abc"
%? op(1201, xfx, foo).
%! error(domain_error(operator_priority,1201))
%? op(700, xxx, foo).
%! error(domain_error(operator_specifier,xxx))
%? op(700, xfx, _).
%! error(instantiation_error)
%? op(200, xfx, ',').
%! error(permission_error(modify,operator,','))
%? op(_, xfx, foo).
%! error(instantiation_error)
%? current_op(P, xfx, is).
%= P = 700
%? current_op(P, T, mod).
%= P = 400, T = yfx
%? current_op(P, fy, -).
%= P = 200
%? cyclic_term(a).
%= false
%? acyclic_term(f(X)).
%= X = _
%? foo:bar = A:B.
%= A = foo, B = bar
%? X = [1,2|T], T = [3].
%= X = [1,2,3], T = [3]
%? [H|T] = [a].
%= H = a, T = []
%? [H1,H2|T] = [a,b,c,d].
%= H1 = a, H2 = b, T = [c,d]
%? X = 'hello world', atom(X).
%= X = 'hello world'
%? X = a:b:c, X = (P:Q).
%= X = a:b:c, P = a, Q = b:c
%? X = (a :- b, c), X = (H :- B).
%= X = (a:-b,c), H = a, B = (b,c)
%? X = {a, b}, X =.. L.
%= X = {a,b}, L = [{},(a,b)]
%? X = - 1, integer(X).
%= false
%? X = -(1), integer(X).
%= false
%? X = - a, X = -(Y).
%= X = -a, Y = a
%? X = 1 - 1, Y = 1-1, X == Y.
%= X = 1-1, Y = 1-1
%? nth0(1, [a,b,c], X), nth1(1, [a,b,c], Y), last([a,b,c], Z).
%= X = b, Y = a, Z = c
%? tab(2), write(x), nl.
%>   x
%= true
%? plus(1, 2, X), succ(X, Y).
%= X = 3, Y = 4
