% term_expansion/2 of clauses and directives, goal_expansion/2.

term_expansion(gen(N), [g(N),h(N)]).
term_expansion((:- mine(X)), [m(X)]).
goal_expansion(foo(X), bar(X)).
gen(7).
:- mine(9).
bar(5).
t(X) :- foo(X).
u(X) :- ( foo(X) -> true ; fail ).
v(L) :- findall(Y, foo(Y), L).
:- dynamic goal_expansion/2.
goal_expansion(seen(X), M:seen(X)) :- b_getval(agent, M).
goal_expansion(one, two).
goal_expansion(two, three).
goal_expansion(p(X), (p(X), q)).
w --> [a], { foo(X) }, [X].

%? g(X), h(Y), m(Z).
%= X = 7, Y = 7, Z = 9
%? t(X), u(Y), v(Z).
%= X = 5, Y = 5, Z = [5]
%? phrase(w, L).
%= L = [a,5]
%? b_setval(agent, _), expand_goal((seen(D), D > 1), B).
%= D = _, B = (_:seen(_),_>1)
%? expand_goal((one, \+ one ; forall(one, m:one)), B).
%= B = (three,\+three;forall(three,m:three))
%? expand_goal(setof(X, Y^p(X), L), B), expand_goal(maplist(p, L), C).
%= X = _, Y = _, L = _, B = setof(_,_^(p(_),q),_), C = maplist(p,_)
