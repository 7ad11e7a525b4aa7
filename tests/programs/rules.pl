% Rules that match: Head => Body, with guards, and what must have one answer.

:- op(1200, xfx, ?=>).

len([], N) => N = 0.
len([_|T], N) => len(T, N0), N is N0+1.

max(X, Y, Z), X >= Y => Z = X.
max(_, Y, Z) => Z = Y.

same(X, X) => true.
same(_, f(_)) => fail.

deep(f(X, g(X, [Y|Y])), 1.5, "text", Y) => atom(X).

either(1, X) ?=> X = a.
either(1, X) => X = b.
either(2, _) ?=> fail.
either(3, _), fail => true.

kind(X, K), ( X = 1 ; X = 2 ) => K = small.
kind(_, K) => K = large.

inner(X, Y) => ( X > 0 -> Y = pos ; X =:= 0, ! , Y = zero ; Y = neg ).

none, fail => true.

first(p(A, B)) => A = B.
first(_) => true.

:- dynamic store/2.
store(1, X) => X = one.

mixed(1) :- true.

greeting(Name) ==> [hello], name(Name).
name(X), atom(X) ==> [X].
name(X), [pushed] ==> { X = 1 }.

:- det(one/1).
one(1).
one(2).
one(X) :- X > 5.

:- det(second/1).
second(X) :- member(X, [a,b]).

count(0) => true.
count(N) => $, N1 is N-1, count(N1).

s(1). s(2). s(3).
last(X) :- $, s(X).
middle(X) :- $, s(X), X > 1, s(_).
cut_off(X) :- $, s(X), X > 1, !.
nothing :- $, \+ s(_).
checked(X) :- $s(X), true.

show(Goal) :- catch((Goal -> R = yes ; R = no), error(E, _), R = E), writeq(R), nl.

%? len([a,b,c], N).
%= N = 3
%? catch(len(_, _), error(existence_error(K, _), _), true).
%= K = matching_rule
%? len([a|_], _).
%! error(existence_error(matching_rule,len(_,_)))
%? len(a, _).
%! error(existence_error(matching_rule,len(a,_)))
%? max(1, 2, X), max(3, 2, Y).
%= X = 2, Y = 3
%? max(3, 2, 2).
%= false
%? same(_A, _B).
%! error(existence_error(matching_rule,same(_,_)))
%? same(A, A).
%= A = _
%? same(1, f(_)).
%= false
%? same(f(_X), f(_X)).
%= true
%? deep(f(a, g(a, [Z|Z])), 1.5, "text", Z).
%= Z = _
%? deep(f(1, g(1, [Z|Z])), 1.5, "text", Z).
%= false
%? either(1, X).
%= X = a
%= X = b
%? either(2, _).
%! error(existence_error(matching_rule,either(2,_)))
%? either(3, _).
%! error(existence_error(matching_rule,either(3,_)))
%? kind(2, K), kind(3, L).
%= K = small, L = large
%? inner(1, A), inner(0, B), inner(-1, C).
%= A = pos, B = zero, C = neg
%? none.
%! error(existence_error(matching_rule,none))
%? X = p(_, _), first(X), X = p(Y, Z), Y == Z.
%= X = p(_,_), Y = _, Z = _
%? first(P), P = q.
%= P = q
%? store(1, X).
%= X = one
%? store(2, _).
%! error(existence_error(matching_rule,store(2,_)))
%? assertz((store(2, X), X \== y => true)), store(2, z), catch(store(2, y), error(E, _), true).
%= X = _, E = existence_error(matching_rule,store(2,y))
%? assertz(store(3, x)).
%! error(permission_error(assert,procedure,store/2))
%? assertz((mixed(2) => true)).
%! error(permission_error(modify,static_procedure,mixed/1))
%? clause(max(_, _, _), B).
%= B = (_>=_,!,_=_)
%= B = (_=_)
%? predicate_property(len(_, _), ssu), \+ predicate_property(mixed(_), ssu).
%= true
%? listing(max/3).
%> max(A, B, C), A>=B =>
%>     C=A.
%> max(_, A, B) =>
%>     B=A.
%> 
%= true
%? listing(either/2).
%> either(1, A) ?=>
%>     A=a.
%> either(1, A) =>
%>     A=b.
%> either(2, _) ?=>
%>     fail.
%> either(3, _), fail =>
%>     true.
%> 
%= true
%? phrase(greeting(bob), L).
%= L = [hello,bob]
%? phrase(greeting(X), L, R).
%= X = 1, L = [hello|_], R = [pushed|_]
%? phrase(greeting(_), _).
%= false
%? expand_term((a(X), X > 1 ==> b, [c]), T).
%= X = _, T = (a(_,_,_),_>1=>b(_,_),_=[c|_])
%? show(one(1)), show(one(2)), show(one(7)), show(one(3)), show(second(_)).
%> determinism_error(one/1,det,nondet,property)
%> determinism_error(one/1,det,nondet,property)
%> yes
%> determinism_error(one/1,det,fail,property)
%> determinism_error(second/1,det,nondet,property)
%= true
%? show(last(_)), show(last(3)), show(last(4)), show(middle(_)), show(cut_off(_)), show(nothing).
%> determinism_error(s/1,det,nondet,guard_in_caller)
%> yes
%> determinism_error(s/1,det,fail,guard_in_caller)
%> determinism_error(middle/1,det,nondet,guard)
%> yes
%> determinism_error(nothing/0,det,fail,guard)
%= true
%? show(checked(_)), show(checked(3)), show(checked(4)), show($(true)), show($(fail)).
%> determinism_error(s(1),det,nondet,goal)
%> yes
%> determinism_error(s(4),det,fail,goal)
%> yes
%> determinism_error(fail,det,fail,goal)
%= true
%? count(100000).
%= true
%? predicate_property(one(_), det).
%= true

% Unifications at the start of a guard belong to the head.

wrapped(X, Y), X = f(I), integer(I) => Y = I.
wrapped(X, _), 1 = X => true.
wrapped(_, _) => fail.
equal(X, Y), X = Y => true.
inside(f(X)), X = g(Y) => Y = 2.

%? wrapped(f(1), Y), wrapped(1, _), \+ wrapped(_, _), \+ wrapped(f(_), _), \+ wrapped(2, _).
%= Y = 1
%? equal(1, X), inside(f(Z)).
%= X = 1, Z = g(2)

% What is declared before it is defined, and what the library defines.

:- det(later/1).
:- det(append/3).
later(1).
later(X) :- X > 5.

%? show(later(7)), show(later(0)), show(append([1], [2], _)), show(append(_, _, [1])).
%> yes
%> determinism_error(later/1,det,fail,property)
%> yes
%> determinism_error(append/3,det,nondet,property)
%= true
