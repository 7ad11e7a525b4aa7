% Library predicates defined anew, and calls from the library.
:- dynamic double/2.
initial_state(s(A, B, C)) :- member(A, [1, 2, 3]), member(B, [1, 2, a]), member(C, [0, 5]).
append(_, _, mine).
last(_, mine).
member(X, [X|_]) :- true.
member(X, [_|T]) :- member(X, T).
double(X, Y) :- integer(X), Y is 2 * X.
double(a, b).
odd(X) :- integer(X), X mod 2 =:= 1.
memberchk(mine, _).
rule(append, 1, s(A, B, C), r(X)) :- append([A], [B, C], X).
rule(doubles, 1, s(A, B, C), r(X)) :- maplist(double, [A, B, C], X).
rule(odds, 1, s(A, B, C), r(X)) :- include(odd, [A, B, C], X).
rule(not_odds, 1, s(A, B, C), r(X)) :- exclude(odd, [A, B, C], X).
rule(lambda, 1, s(A, B, C), r(X)) :- maplist([V, W]>>( V == B -> W = b(C) ; W = o ), [A, B, C], X).
rule(fold, 1, s(A, B, C), r(X)) :- integer(B), foldl(add, [A, B, C], 0, X).
rule(chk, 1, s(A, B, C), r(X)) :- memberchk(X, [A, B, C]).
rule(lib, 1, s(A, B, C), r(X)) :- lists:append([A], [B, C], X).
rule(partition, 1, s(A, B, C), r(X, Y)) :- partition(odd, [A, B, C], X, Y).
rule(last, 1, s(A, B, C), r(X)) :- last([A, B, C], X).
rule(sumlist, 1, s(A, _, C), r(X)) :- sumlist([A, C], X).
rule(pairs, 1, s(A, B, C), r(K, V)) :- pairs_keys_values(P, [A, B], [C, A]), pairs_keys(P, K), pairs_values(P, V).
rule(assoc, 1, s(A, B, C), r(X)) :- list_to_assoc([a-A, b-B, c-C], T), put_assoc(b, T, C, U), get_assoc(b, U, X).
rule(assoc2, 1, s(A, B, _), r(X)) :- empty_assoc(E), put_assoc(A, E, x, T), put_assoc(B, T, y, U), assoc_to_values(U, X).
rule(keys, 1, s(A, B, C), r(X)) :- keysort([A-x, B-y, C-z], X).
rule(setof, 1, s(A, B, C), r(X)) :- setof(V, member(V, [A, B, C]), X).
rule(bagof, 1, s(A, B, C), r(V, X)) :- bagof(I, nth1(I, [A, B, C], V), X).
rule(aggregate, 1, s(A, B, C), r(X)) :- aggregate_all(bag(V), member(V, [C, B, A]), X).
rule(sort4, 1, s(A, B, C), r(X)) :- sort(0, @>=, [A, B, C], X).
rule(max, 1, s(A, _, C), r(X)) :- max_list([A, C], X).
rule(sum, 1, s(A, _, C), r(X)) :- foldl([V, P, Q]>>( Q is P + V * A ), [A, C], 0, X).
rule(length, 1, s(A, _, _), r(X)) :- length(X, A).
rule(nb, 1, s(A, B, C), r(X)) :- nb_setval(k, A), nb_getval(k, X), B == C.
rule(string, 1, s(A, B, _), r(X)) :- atomic_list_concat([A, B], X).
rule(concat, 1, s(A, B, _), r(X)) :- atom_concat(A, B, X).
rule(permutation, 1, s(A, B, C), r(X)) :- permutation([A, B, C], X).
rule(exclude, 1, s(A, B, C), r(X)) :- exclude([V]>>( V == C ; V == A ), [A, B, C], X).
rule(nest, 1, s(A, B, C), r(X)) :- findall(V-W, ( member(V, [A, B]), findall(Y, ( member(Y, [C, A]), Y \== V ), W) ), X).
rule(sumall, 1, s(A, B, C), r(X)) :- foldl([V, I-O, J-O]>>( V == B -> J is I + C ; J = I ), [A, B, C], 0-A, X-_).
rule(tail, 1, s(A, B, C), r(X)) :- user:odd(A), lists:last([B, C], X).
add(X, A, B) :- B is A + X.
final_state(s(3, a, 5)).
heuristic(s(A, _, C), H) :- H is A + C.
