% Sets of facts whose rules are not all of facts: errors of goals that come before what would have failed,
% facts with variables, elements that are there twice, other lists, costs that are wrong.
initial_state(one, [q(3), v(3), v(5)]).
initial_state(two, [q(3), v(3), v(a)]).
initial_state(three, [q(3), v(3), v(X), v(X)]).
initial_state(four, [v(3), q(3), v(3)]).
final_state(S) :- open(P), memberchk(P, S), \+ ( member(v(X), S), X > 4, member(q(X), S) ).
open(q(_)).
open(v(9)).
rule(less(X), 1, S, T) :- member(v(X), S), X > 2, member(q(X), S), subtract(S, [v(X)], T).
rule(cost(X), C, S, T) :- member(v(X), S), integer(X), C is X - 3, sort([q(X)|S], T).
rule(twice(X), 1, S, T) :- append(S, [q(5)], L), selectchk(q(X), L, R), sort([w(X)|R], T).
rule(all, 1, S, T) :- member(v(_), S), findall(w(Y), ( member(v(X), S), Y is X + 1 ), L), X0 = 1, X0 < 2,
    length(S, N), N < 6, union(S, L, U), sort(U, T).
rule(ord, 1, S, T) :- ord_memberchk(v(3), S), ord_subtract(S, [v(3), q(3)], T).
