% Cuts in every place.
initial_state(s(A, B, C)) :- member(A, [a, b, c]), member(B, [a, b, 1]), member(C, [a, d, 2]).
rule(N, 1, s(A, B, C), r(A, B, C)) :- p(A, B, C, N).
p(A, B, _, 1) :- ( A = a, ! ; B = b ), A \== B.
p(A, _, C, 2) :- once((member(X, [A, C, a]), X == a)).
p(A, B, C, X) :- \+ \+ member(A, [B, C]), call((member(X, [A, B, C]), !)).
p(A, B, _, X) :- ( member(X, [A, B, z]), X \== a -> true ; X = no ).
p(A, B, C, X) :- forall(member(Y, [A, B]), ( Y == a ; ! , Y == C )), X = all.
p(A, B, C, X) :- findall(Y, ( member(Y, [A, B, C]), Y \== a, ! ), L), X = l(L).
p(A, B, _, X) :- G = ( member(X, [A, B]), ! ), call(G).
p(A, B, _, X) :- q(A, X), ( B == a -> ! ; B == b, !, fail ; true ).
p(A, B, C, X) :- catch(( member(X, [A, B, C]), X \== a, ! ), _, fail).
p(_, B, C, X) :- ( B = C ; B = a ; C = d ), ( X = u ; X = v ), ( X == v, ! ; B == 1 ).
p(A, A, _, both) :- !.
p(_, _, A, other(A)) :- ignore(( A == a, ! )).
q(a, 1).
q(a, 2) :- !.
q(b, 3) :- !, fail.
q(_, 4).
q(X, X).
final_state(s(A, B, C)) :- \+ ( member(X, [A, B, C]), X == a, ! ), !.
final_state(s(_, _, 2)).
heuristic(s(A, B, C), N) :- aggregate_all(count, p(A, B, C, _), N).
