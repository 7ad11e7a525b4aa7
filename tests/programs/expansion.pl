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
w --> [a], { foo(X) }, [X].

%? g(X), h(Y), m(Z).
%= X = 7, Y = 7, Z = 9
%? t(X), u(Y), v(Z).
%= X = 5, Y = 5, Z = [5]
%? phrase(w, L).
%= L = [a,5]
