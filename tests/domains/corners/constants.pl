% Leaves of every kind, in every test.
initial_state(s(A, B)) :- leaf(A), leaf(B).
leaf(a). leaf(b). leaf([]). leaf('[]'). leaf(1). leaf(-20). leaf(100). leaf(300000000000). leaf(3000000000000).
leaf(1.0). leaf("a"). leaf(100000000000000000000). leaf(_). leaf('A b').
rule(swap, 1, s(A, B), s(B, A)).
rule(Name, 2, s(A, B), t(B)) :- Name = n(A, B), A \== B.
rule(same, 1, s(A, B), s(A, A)) :- A = B.
rule(copy, 1, s(A, B), s(C, D)) :- copy_term(A-B, C-D).
rule(list, 1, s(A, B), [A|B]).
rule(univ, 1, s(A, B), S) :- atom(A), S =.. [A, B].
rule(stays, 1, S, S).
rule(fresh, 1, s(_, B), s(_, B)).
rule(in_list, 1, s(A, B), r(X)) :- member(X, [A, B, a]).
rule(sorted, 1, s(A, B), r(L)) :- nonvar(A), nonvar(B), sort([B, A, a, 1], L).
rule(msorted, 1, s(A, B), r(L)) :- nonvar(A), nonvar(B), msort([B, A, a, 1, "a", f(x), 1.0], L).
rule(set, 1, s(A, B), r(L)) :- nonvar(A), nonvar(B), list_to_set([B, A, a, 1, b, A, 1], L).
rule(order, 1, s(A, B), r(O)) :- nonvar(A), nonvar(B), compare(O, A, B).
rule(functor, 1, s(A, B), r(N, M)) :- nonvar(A), functor(A, N, M), B == a.
final_state(s(A, B)) :- A == B.
heuristic(equal, s(A, B), 1) :- A = B.
heuristic(equal, s(_, _), 0).
heuristic(distinct, s(A, B), 1) :- A \= B.
heuristic(distinct, s(_, _), 0).
heuristic(identical, s(A, B), 1) :- A == B.
heuristic(identical, s(_, _), 0).
heuristic(var, s(A, B), N) :- findall(x, (member(X, [A, B]), var(X)), L), length(L, N).
heuristic(types, s(A, _), 1) :- atom(A).
heuristic(types, s(A, _), 2) :- integer(A).
heuristic(types, s(A, _), 3) :- float(A).
heuristic(types, s(A, _), 4) :- string(A).
heuristic(types, s(A, _), 5) :- \+ atomic(A).
heuristic(types2, s(A, B), 1) :- callable(A), number(B).
heuristic(types2, s(A, B), 2) :- atomic(A), is_list(B).
heuristic(types2, s(A, B), 3) :- ground(A-B).
heuristic(types2, s(_, _), 4).
heuristic(nil, s([], _), 1).
heuristic(nil, s(A, []), 2) :- A \== [].
heuristic(nil, s('[]', '[]'), 3).
heuristic(nil, s(_, _), 4).
heuristic(length, s(A, _), N) :- length(A, N).
heuristic(length2, s(A, _), N) :- length([a, b|A], N).
heuristic(length3, s(A, _), 1) :- length([a, b], A).
heuristic(length3, s(_, _), 0).
heuristic(length4, s(A, B), 1) :- nonvar(A), length(A, B).
heuristic(length4, s(_, _), 0).
heuristic(binding, s(A, B), 1) :- A = x, B == x.
heuristic(binding, s(A, B), 2) :- A = B, A = x, B == x.
heuristic(binding, s(A, B), 3) :- A = f(B), B = y, A == f(y).
heuristic(binding, s(_, _), 4).
heuristic(binding2, s(A, B), N) :- ( A = B -> N = 1 ; A = z -> N = 2 ; N = 3 ).
heuristic(copies, s(A, B), N) :- findall(A-B, true, [X-Y]), ( var(X), var(Y), X = Y -> N = 1 ; X == A -> N = 2 ; N = 3 ).
heuristic(copies2, s(A, B), N) :- findall(X, member(X, [A, B]), L), L = [P, Q], ( P = 1, Q = 2 -> N = 1 ; N = 2 ).
heuristic(copies3, s(A, B), N) :- copy_term(A-A, X-Y), ( X = 1, Y == B -> N = 1 ; N = 2 ).
heuristic(copies4, s(A, _), N) :- findall(_, member(A, [1, a, b]), L), findall(_, member(A, [1, a, b]), M), ( L = [1|_], M = [2|_] -> N = 1 ; N = 2 ).
heuristic(copies5, s(_, _), N) :- findall(_, member(_, [1, 2]), L), findall(_, member(_, [1, 2]), M), ( L = [1, 2], M = [3, 4] -> N = 1 ; N = 2 ).
heuristic(copies6, s(A, _), N) :- findall(X-A, member(X, [A, b]), L), findall(X-A, member(X, [A, b]), M), ( L == M -> N = 1 ; N = 2 ).
heuristic(copies7, s(A, _), N) :- findall(_, member(A, [1, a, b]), L), findall(_, member(A, [1, a, b]), M), ( L == M -> N = 1 ; L = M -> N = 2 ; N = 3 ).
heuristic(less, s(A, B), 1) :- A < B.
heuristic(less, s(_, _), 2).
heuristic(before, s(A, B), 1) :- nonvar(A), nonvar(B), A @< B.
heuristic(before, s(A, B), 2) :- nonvar(A), A @>= B.
heuristic(before, s(_, _), 3).
heuristic(before_atom, s(A, _), 1) :- A @< aa.
heuristic(before_atom, s(_, _), 2).
heuristic(before_number, s(A, _), 1) :- A @< 50.
heuristic(before_number, s(_, _), 2).
heuristic(before_list, s(A, _), 1) :- A @> [x].
heuristic(before_list, s(_, _), 2).
heuristic(before_list2, s(A, B), 1) :- nonvar(A), nonvar(B), [A, B] @< [b, 1].
heuristic(before_list2, s(_, _), 2).
heuristic(univ, s(A, _), N) :- A =.. L, length(L, N).
heuristic(univ2, s(A, _), 1) :- _ =.. [A, b].
heuristic(univ2, s(_, _), 2).
heuristic(univ3, s(A, _), 1) :- f(x) =.. A.
heuristic(univ3, s(_, _), 2).
heuristic(arg, s(A, _), N) :- arg(A, f(4, 5), N).
heuristic(arg, s(_, _), 2).
heuristic(arg2, s(A, _), 1) :- arg(1, A, _).
heuristic(arg2, s(_, _), 2).
heuristic(functor2, s(A, B), 1) :- functor(_, A, B).
heuristic(functor2, s(_, _), 2).
heuristic(functor3, s(A, B), 1) :- functor(A, f, B).
heuristic(functor3, s(_, _), 2).
heuristic(calls, s(A, _), 1) :- call(A).
heuristic(calls, s(_, _), 2).
heuristic(tail, s(A, _), N) :- L = [x, y|A], ( is_list(L) -> N = 1 ; N = 2 ).
heuristic(tail2, s(A, _), N) :- ( append([x|A], [z], L), L = [_, _|_] -> N = 1 ; N = 2 ).
heuristic(tail3, s(A, _), N) :- ( memberchk(q, [x|A]) -> N = 1 ; N = 2 ).
heuristic(last, s(A, B), N) :- ( last([A, B], X), X == a -> N = 1 ; N = 2 ).
heuristic(index, s(A, B), N) :- nth0(N, [a, 1, [], b, 100], A), N \== B, !.
heuristic(index, s(_, _), 9).
heuristic(delete, s(A, B), N) :- delete([a, 1, B, b, "a"], A, L), length(L, N).
heuristic(subtract, s(A, B), N) :- subtract([a, 1, B, b], [A], L), length(L, N).
heuristic(exclude, s(A, _), N) :- exclude(==(A), [a, 1, b, [], 100], L), length(L, N).
heuristic(partition, s(A, _), N) :- partition([X]>>(X @< A), [a, 1, b, 100], L, M), length(L, I), length(M, J), N is I * 10 + J.
heuristic(foldl, s(A, B), N) :- foldl([X, P, Q]>>( X == A -> Q is P + 1 ; Q = P ), [a, B, 1, B], 0, N).
heuristic(soft, s(A, B), N) :- ( member(A, [a, 1, B]) *-> N = 1 ; N = 2 ).
heuristic(throws, s(A, _), N) :- catch(thrower(A), E, ( E = a -> N = 1 ; N = 2 )), ( var(N) -> N = 3 ; true ).
heuristic(text, s(A, _), N) :- atom_length(A, N).
thrower(A) :- A == b, !, throw(a).
thrower(_).
a.
b :- fail.
rule(to_soft, 1, s(A, B), r(X)) :- ( member(X-A, [1-a, 2-a, 3-B, 4-[]]) *-> true ; X = none ).
