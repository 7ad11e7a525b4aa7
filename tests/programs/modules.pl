% Modules: exports, imports, private predicates, meta-predicates, operators.

:- use_module(modules/shapes).
:- use_module(modules/helpers, except([path/2])).

private(user).
small(X) :- X < 3.
edge(user, user).
shapes:added(1).
shapes:added(X) :- small(X), X = 2.

%? area(rectangle(2, 3), X).
%= X = 6
%? private(X).
%= X = user
%? shapes:private(X).
%= X = shapes
%? helpers:private(X).
%= X = helpers
%? deepest(X).
%= X = deep
%? hidden(_).
%! error(existence_error(procedure,hidden/1))
%? helper(X).
%= X = helpers
%? helper(1, 2, X).
%! error(existence_error(procedure,helper/3))
%? shapes:helper(1, 2, X).
%= X = 2
%? more, more, count(N).
%= N = 2
%? counter(_).
%! error(existence_error(procedure,counter/1))
%? shapes:counter(N).
%= N = 2
%? each(small, [1, 2]).
%= true
%? each([X]>>(X > 1), [2, 3]).
%= X = _
%? twice(private(_), N).
%= N = 2
%? findall(Y, path(a, Y), _L), msort(_L, M).
%= Y = _, M = [a,b,c]
%? findall(X-Y, helpers:path(X, Y), L).
%= X = _, Y = _, L = [x-y]
%? [4, 6] covers X.
%= X = 6
%? catch(atom_to_term('1 **> 2', T, _), error(syntax_error(_), _), true).
%= T = _
%? shapes:added(1).
%= true
%? findall(X, member(X, [1, 2]), L), maplist(shapes:helper(2), L, M).
%= X = _, L = [1,2], M = [2,4]
%? predicate_property(area(_, _), imported_from(M)).
%= M = shapes
%? predicate_property(shapes:helper(_, _, _), number_of_clauses(N)).
%= N = 1
%? strip_module(a:b:c, M, G).
%= M = b, G = c
%? catch(shapes:nothing(1), error(E, _), true).
%= E = existence_error(procedure,shapes:nothing/1)
%? catch(nowhere:nothing, error(E, _), true).
%= E = existence_error(procedure,nowhere:nothing/0)
%? assertz(nowhere:fact(1)), nowhere:fact(X).
%= X = 1
%? catch(fact(_), error(E, _), true).
%= E = existence_error(procedure,fact/1)
%? shapes:assertz((rule(X) :- helper(X, X, _))), shapes:rule(2), \+ catch(rule(2), _, fail).
%= X = _
%? @(private(X), shapes).
%= X = user
%? lists:append([1], [2], X).
%= X = [1,2]
%? setof(X-Y, shapes:edge(X, Y), L).
%= X = _, Y = _, L = [a-b,b-c,c-a]
%? forall(shapes:edge(X, Y), shapes:path(X, Y)).
%= X = _, Y = _
%? current_op(P, T, covers).
%= P = 700, T = xfx
%? retractall(shapes:counter(_)), count(_).
%= false
%? shapes:clause(helper(_, _, _), B).
%= B = (_ is _*_)
%? abolish_all_tables, path(b, X), X == c.
%= X = c
