% Attributed variables and coroutining: freeze, dif, when, hooks of modules, copies, residual goals.

:- use_module(library(dif)).
:- use_module(library(when)).

% Domains as sets of values, after the manual of SWI-Prolog.
domain(X, Dom) :-
    var(Dom), !,
    get_attr(X, domain, Dom).
domain(X, List) :-
    sort(List, Domain),
    put_attr(Y, domain, Domain),
    X = Y.

domain:attr_unify_hook(Domain, Y) :-
    (   get_attr(Y, domain, Dom2)
    ->  ord_intersection(Domain, Dom2, NewDomain),
        (   NewDomain == []
        ->  fail
        ;   NewDomain = [Value]
        ->  Y = Value
        ;   put_attr(Y, domain, NewDomain)
        )
    ;   var(Y)
    ->  put_attr(Y, domain, Domain)
    ;   ord_memberchk(Y, Domain)
    ).

domain:attribute_goals(X) -->
    { get_attr(X, domain, List) },
    [domain(X, List)].

% Hooks in the middle of clauses: what is live must survive them.
middle(X, Y, A, B, C) :-
    Z = f(A, B),
    X = 1,
    A1 = g(Z),
    \+ A1 == C,
    Y = A1,
    C = done.

inline(X, R) :- X = 3, R is X * 2 + 1.
inline2(X, Y, R) :- X = 3, Y > 2, !, R = yes.
inline2(_, _, no).

chosen(X, R) :- X = 1, !, R = first.
chosen(_, second).

neck(1, R) :- !, R = one.
neck(_, other).

count(0, _) :- !.
count(N, X) :- freeze(Y, true), Y = N, dif(Z, N), Z = 0, N1 is N-1, count(N1, X).

% A permutation by waiting tests.
perm(Xs, Ys) :- same_length(Xs, Ys), all_dif(Ys), maplist([Y]>>member(Y, Xs), Ys).
all_dif([]).
all_dif([X|Xs]) :- maplist(dif(X), Xs), all_dif(Xs).

safe_queens(N, Qs) :-
    numlist(1, N, Ns), length(Qs, N), wait_all(Qs), maplist([Q]>>member(Q, Ns), Qs), !.
wait_all([]).
wait_all([Q|Qs]) :- wait_one(Qs, Q, 1), wait_all(Qs).
wait_one([], _, _).
wait_one([Q|Qs], Q0, D) :-
    when(ground(Q-Q0), (Q =\= Q0, abs(Q-Q0) =\= D)), D1 is D+1, wait_one(Qs, Q0, D1).

%? domain(X, [a,b]), X = c.
%= false

%? domain(X, [a,b]), domain(X, [a,c]).
%= X = a

%? domain(X, [a,b,c]), domain(X, [a,c]), copy_term(X, Y, Gs).
%= X = _, Y = _, Gs = [domain(_,[a,c])]

%? domain(X, [a,b]), domain(Y, [b,c]), X = Y.
%= X = b, Y = b

%? domain(X, [a,b]), copy_term(X, Y), Y = a, \+ Y = c.
%= X = _, Y = a

%? domain(X, [a,b]), findall(X, member(_, [1,2]), [A,B]), A = a, \+ B = c.
%= X = _, A = a, B = _

%? freeze(X, Y = s), middle(X, Z, 1, 2, C).
%= X = 1, Y = s, Z = g(f(1,2)), C = done

%? freeze(X, (C = 0)), middle(X, Z, 1, 2, C).
%= false

%? freeze(X, (Y = 4 ; Y = 5)), inline(X, R).
%= X = 3, Y = 4, R = 7
%= X = 3, Y = 5, R = 7

%? freeze(X, (Y = 2 ; Y = 5)), inline2(X, Y, R).
%= X = 3, Y = 5, R = yes

%? freeze(X, fail), chosen(X, R).
%= X = _, R = second

%? freeze(X, (write(x) ; write(y))), chosen(X, R), write(R), nl.
%> xfirst
%= X = 1, R = first

%? freeze(X, fail), neck(X, R).
%= X = _, R = other

%? freeze(X, (R = one ; R = two)), neck(X, R).
%= X = 1, R = one

%? count(2000, X).
%= X = _

%? perm([a,b,c], Ys).
%= Ys = [a,b,c]
%= Ys = [a,c,b]
%= Ys = [b,a,c]
%= Ys = [b,c,a]
%= Ys = [c,a,b]
%= Ys = [c,b,a]

%? safe_queens(6, Qs).
%= Qs = [2,4,6,1,3,5]

%? freeze(X, write(a)), freeze(Y, write(b)), f(X,Y) = f(1,2), write(c), nl.
%> abc
%= X = 1, Y = 2

%? freeze(X, (Z is X+1)), X = 1, Z > 1.
%= X = 1, Z = 2

%? freeze(X, Y = 1), ( X = 1, Y == 1 -> R = yes ; R = no ).
%= X = 1, Y = 1, R = yes

%? freeze(X, fail), ( X = 1 -> R = yes ; R = no ).
%= X = _, R = no

%? freeze(X, throw(oops)), catch(X = 1, E, true).
%= X = _, E = oops

%? freeze(X, throw(oops)), X = 1.
%! oops

%? freeze(X, true), catch((X = 1, throw(e)), e, true).
%= X = _

%? freeze(X, (Y = 1 ; Y = 2)), findall(Y, X = 1, L).
%= X = _, Y = _, L = [1,2]

%? freeze(X, (Y = 1 ; Y = 2)), findall(Y, (X = 1, !), L).
%= X = _, Y = _, L = [1]

%? freeze(X, fail), forall(member(X, [1,2]), true).
%= X = _

%? freeze(X, X > 1), findall(X, member(X, [1,2,3]), L).
%= X = _, L = [2,3]

%? freeze(X, X > 1), setof(X, member(X, [3,1,2]), L).
%= X = _, L = [2,3]

%? freeze(X, X > 1), aggregate_all(count, member(X, [1,2,3]), C).
%= X = _, C = 2

%? freeze(X, fail), \+ X = 1.
%= X = _

%? freeze(X, fail), X \= 1.
%= X = _

%? freeze(X, true), \+ X \= 1.
%= X = _

%? freeze(X, true), sort([b, X, 1], L), L = [F|_], F == X.
%= X = _, L = [_,1,b], F = _

%? dif(X, Y), X = Y.
%= false

%? dif(X, Y), X = 1, Y = 1.
%= false

%? dif(X, Y), X = 1, Y = 2.
%= X = 1, Y = 2

%? dif(f(X,Y), f(Y,X)), X = a, Y = b.
%= X = a, Y = b

%? dif([A|B], [1,2]), A = 1, B = [C], C = 2.
%= false

%? dif([A|B], [1,2]), A = 1, B = [C], C = 3.
%= A = 1, B = [3], C = 3

%? dif(X, f(Y)), X = f(Z), Z = Y.
%= false

%? dif(X, X).
%= false

%? dif(a, b).
%= true

%? maplist(dif(X), [a,b]), member(X, [a,b,c]).
%= X = c

%? when((nonvar(X);nonvar(Y)), write(w)), Y = 1, X = 2.
%> w
%= X = 2, Y = 1

%? when((nonvar(X),ground(Y)), write(w)), X = 2, Y = f(Z), write(a), Z = 1.
%> aw
%= X = 2, Y = f(1), Z = 1

%? when(ground([X,Y,Z]), write(g)), X = Y, Y = Z, write(a), Z = 1.
%> ag
%= X = 1, Y = 1, Z = 1

%? when(?=(X,Y), write(q)), X = Y.
%> q
%= X = _, Y = _

%? when(?=(X,Y), write(q)), X = 1, write(a), Y = 2.
%> aq
%= X = 1, Y = 2

%? when(_, true).
%! error(instantiation_error)

%? when(foo, true).
%! error(domain_error(when_condition,foo))

%? put_attr(a, m, v).
%! error(uninstantiation_error(a))

%? put_attr(X, 1, v).
%! error(type_error(atom,1))

%? put_attr(X, k, a), ( put_attr(X, k, b), fail ; get_attr(X, k, V) ).
%= X = _, V = a

%? put_attr(X, k, a), ( del_attr(X, k), fail ; attvar(X) ).
%= X = _

%? put_attr(X, k, a), del_attr(X, k), \+ attvar(X).
%= X = _

%? put_attr(X, a, 1), put_attr(X, b, 2), get_attrs(X, As).
%= X = _, As = att(a,1,att(b,2,[]))

%? put_attr(X, m, 1), X = 2.
%! error(existence_error(procedure,m:attr_unify_hook/2))

%? freeze(X, foo(X)), freeze(X, bar), frozen(X, G).
%= X = _, G = (freeze(_,user:bar),freeze(_,user:foo(_)))

%? freeze(X, foo(X)), copy_term(X, Y, Gs).
%= X = _, Y = _, Gs = [freeze(_,user:foo(_))]

%? freeze(X, fail), copy_term_nat(X, Y), Y = 1.
%= X = _, Y = 1

%? freeze(X, Y = 1), copy_term(X-Y, A-B), A = 2.
%= X = _, Y = _, A = 2, B = 1

%? freeze(X, p(Y)), freeze(Y, true), freeze(Z, true), term_attvars(f(X,Z), L), L == [X,Y,Z].
%= X = _, Y = _, Z = _, L = [_,_,_]

%? call_residue_vars(freeze(X, true), Vs), Vs == [X].
%= X = _, Vs = [_]

%? freeze(X, true), assertz(kept(X)), kept(Y), \+ attvar(Y).
%= X = _, Y = _

%? freeze(X, true), numbervars(f(X), 0, E).
%! error(type_error(free_of_attvar,f(_)))

%? freeze(X, write(got(X))), between(1, 3, X), X >= 2.
%> got(1)got(2)got(3)
%= X = 2
%= X = 3

%? freeze(X, write(got)), atom_length(abc, X).
%> got
%= X = 3

%? freeze(X, write(got)), unify_with_occurs_check(f(X), f(1)).
%> got
%= X = 1

%? freeze(X, write(hit)), ignore((X = 1, fail)), var(X).
%> hit
%= X = _

%? freeze(X, true), b_setval(v, X), b_getval(v, Y), X == Y.
%= X = _, Y = _

%? freeze(X, writeln(1)), freeze(Y, writeln(2)), X = Y, writeln(aliased), Y = 3.
%> aliased
%> 1
%> 2
%= X = 3, Y = 3

%? freeze(X, freeze(Y, writeln(both))), Y = 1, X = 1.
%> both
%= X = 1, Y = 1

%? freeze(X, Y = 1), freeze(Y, Z = 1), freeze(Z, W = 1), X = 0.
%= X = 0, Y = 1, Z = 1, W = 1

%? length(L, 3), maplist([E]>>freeze(E, write(E)), L), L = [1,2,3].
%> 123
%= L = [1,2,3], E = _

%? X = f(A), freeze(A, true), X = f(B), A == B.
%= X = f(_), A = _, B = _

%? freeze(X, (member(Y, [1,2,3]), Y > 1)), X = go, !.
%= X = go, Y = 2

%? copy_term([X], f(X,Y), As, T), T = f(_, Z), Z == Y.
%= X = _, Y = _, As = [_], T = f(_,_), Z = _

%? freeze(X, write(a)), bagof(X-Y, member(Y, [1,2]), L), length(L, N).
%= X = _, Y = _, L = [_-1,_-2], N = 2

%? freeze(X, true), subsumes_term(X, a).
%= X = _

%? freeze(X, write(q)), once(member(X, [1,2])).
%> q
%= X = 1

%? freeze(X, write(q)), call((X = 1, !)).
%> q
%= X = 1

%? freeze(X, fail), ( X = 1 *-> true ; Y = else ).
%= X = _, Y = else

%? freeze(X, (write(1) ; write(2))), ( X = 1 *-> write(t), fail ; write(e) ; true ).
%> 1t2t
%= false
