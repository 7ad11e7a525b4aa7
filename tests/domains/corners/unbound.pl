% Variables in states and names.
initial_state(s(_, _, _)).
initial_state(s(a, _, _)).
initial_state(s(_, b, a)).
initial_state(s(X, X, _)).
initial_state(s(_, X, X)).
initial_state(s(a, b, c)).
rule(bind, 1, s(A, B, C), s(A, B, C)) :- A = a.
rule(bind2, 1, s(A, B, C), s(A, B, C)) :- A = B.
rule(bind3, 1, s(A, B, C), s(A, B, C)) :- A = f(B), B = c.
rule(bind4, 1, s(A, B, C), s(B, C, A)) :- B = C, A == a.
rule(bind5, 1, s(A, B, C), s(C, B, A)) :- ( A = B ; B = C ; A = C ), ( var(A) -> A = z ; true ).
rule(name(A, B), 1, s(A, B, C), s(C, B, A)).
rule(name(A, A), 1, s(A, B, C), s(C, B, b)).
rule(name(_, X, X), 1, s(A, X, C), s(A, a, C)).
rule(whole, 1, S, S).
rule(copy, 1, S, T) :- copy_term(S, T).
rule(bag, 1, S, T) :- findall(S, true, [T]).
rule(bag2, 1, s(A, B, C), s(A, X, Y)) :- findall(B-C, member(B, [a, b]), [X-Y|_]).
rule(bag3, 1, s(A, B, C), s(X, Y, Z)) :- findall(V, member(V, [A, B, C]), [X, Y, Z]).
rule(different, 1, s(A, B, C), s(x, x, x)) :- A \== B, B \== C, A \== C.
rule(differ, 1, s(A, B, C), s(y, y, y)) :- A \= B ; B \= C.
rule(list, 1, s(A, B, C), l(L, B, C)) :- var(A), L = [A, B].
rule(ground, 1, s(A, B, C), g) :- ( A = B, ground(A) -> true ; A = q, ground(A), \+ ground(C) ).
rule(nothing, 1, s(A, B, _), _) :- A == q, B == q.
rule(vars, 1, s(A, B, C), n(N)) :- term_variables(f(A, B, C), Vs), length(Vs, N).
rule(not, 1, s(A, B, C), s(A, B, C)) :- \+ A = B, \+ \+ B = C.
rule(late, 1, s(A, B, C), s(A, B, C)) :- member(A, [a, b, B]), B = b.
rule(open, 1, s(A, B, C), s(A, C, B)) :- L = [A, B|T], T = [C], nth0(2, L, X), X = a.
final_state(s(A, B, C)) :- A == a, B == C.
heuristic(s(A, B, C), N) :- findall(x, ( member(X, [A, B, C]), var(X) ), L), length(L, N).
