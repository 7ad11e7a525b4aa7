% Errors and values of arithmetic that are never used.
initial_state(s(A, B)) :- member(A, [-3, 0, 1, 5]), member(B, [-2, 0, 3]).
rule(unused, 1, s(A, B), s(A, B)) :- A < B, _ is A // B.
rule(float, C, s(A, B), s(A, B)) :- B > 0, C is abs(A) / B.
rule(halves, 1, s(A, B), s(C, B)) :- C is A // 2, C =\= A.
final_state(s(A, B)) :- X is 10 mod B, A > 3, X > 0.
heuristic(unused, s(A, B), 1) :- _ is A // B.
heuristic(late, s(A, B), X) :- X is A mod B, A > 2.
heuristic(late, s(_, _), 7).
heuristic(late_div, s(A, B), Y) :- X is A div B, A > 2, Y is abs(X).
heuristic(late_div, s(_, _), 7).
heuristic(negative_div, s(A, B), Y) :- B =\= 0, Y is (A div B) * 1000 + (A // B) * 100 + (A mod B) * 10 + (A rem B) + 5000.
heuristic(slash, s(A, B), Y) :- Y is A / B + 100.
heuristic(huge, s(A, _), 1) :- X is A * 1000000000000000000, X = 5000000000000000000.
heuristic(huge, s(_, _), 0).
heuristic(huge2, s(A, _), 1) :- X is A * 1000000000000000000, X =:= 5000000000000000000.
heuristic(huge2, s(_, _), 0).
heuristic(huge3, s(A, _), H) :- X is A * 1000000000000000000, big(X, H).
heuristic(huge4, s(A, _), 1) :- X is A * 1000000000000000000, X == 5000000000000000000.
heuristic(huge4, s(_, _), 0).
heuristic(huge5, s(A, _), 1) :- X is A * 1000000000000000000, X @< 4000000000000000000.
heuristic(huge5, s(_, _), 0).
heuristic(huge6, s(A, _), 1) :- X is A * 10000000000000000000, X > A.
heuristic(huge6, s(_, _), 0).
heuristic(huge7, s(A, _), 1) :- X is A * 4000000000000000000, X > A.
heuristic(huge7, s(_, _), 0).
heuristic(huge8, s(A, _), 1) :- X is A * 4000000000000000000, Y is X * 3, Y > A.
heuristic(huge8, s(_, _), 0).
heuristic(succ_type, s(A, B), 1) :- succ(A, foo), B > 0.
heuristic(succ_type, s(_, _), 0).
heuristic(succ_expr, s(A, B), 1) :- A > 0, succ(A + 1, _), B > 0.
heuristic(succ_expr, s(_, _), 0).
heuristic(succ_leaf, s(A, B), 1) :- succ(A, B).
heuristic(succ_leaf, s(_, _), 0).
heuristic(succ_down, s(A, _), X) :- succ(X, A).
heuristic(succ_down, s(_, _), 9).
heuristic(plus_expr, s(A, _), X) :- A > 0, plus(A, 1 + 1, X).
heuristic(plus_expr, s(_, _), 9).
heuristic(plus_atom, s(A, _), 1) :- A > 0, plus(A, 1, foo).
heuristic(plus_atom, s(_, _), 9).
heuristic(between_expr, s(A, B), 1) :- between(1, 2 + B, A).
heuristic(between_expr, s(_, _), 0).
heuristic(between_atom, s(A, _), 1) :- between(2, foo, A).
heuristic(between_atom, s(_, _), 0).
heuristic(between_atom2, s(A, _), 1) :- A > 2, between(A, foo, 1).
heuristic(between_atom2, s(_, _), 0).
heuristic(between_leaf, s(A, B), N) :- findall(X, between(A, B, X), Xs), length(Xs, N).
heuristic(between_inf, s(A, _), 1) :- between(A, inf, 3).
heuristic(between_inf, s(_, _), 0).
heuristic(length_atom, s(A, _), 1) :- findall(X, (member(X, [1, 2, 3]), X > A), Xs), length(Xs, foo).
heuristic(length_atom, s(_, _), 0).
heuristic(length_leaf, s(A, _), 1) :- length([a, b, c, d, e], A).
heuristic(length_leaf, s(_, _), 0).
heuristic(length_leaf2, s(A, _), N) :- length(L, A), length(L, N).
heuristic(length_neg, s(A, _), 1) :- X is A - 2, length([a, b, c], X).
heuristic(length_neg, s(_, _), 0).
heuristic(float_compare, s(A, _), 1) :- A < 2.5.
heuristic(float_compare, s(_, _), 0).
heuristic(float_equal, s(A, _), 1) :- A =:= 1.0.
heuristic(float_equal, s(_, _), 0).
heuristic(float_unify, s(A, _), 1) :- A = 1.0.
heuristic(float_unify, s(_, _), 0).
heuristic(float_order, s(A, _), 1) :- A @< 1.0.
heuristic(float_order, s(_, _), 0).
heuristic(float_order2, s(A, B), 1) :- X is A + B, X @< 1.0.
heuristic(float_order2, s(_, _), 0).
heuristic(max_float, s(A, _), X) :- X is max(A, 1.0).
heuristic(sqrt, s(A, _), X) :- X is sqrt(A * A).
heuristic(power, s(A, B), X) :- B >= 0, X is 1000 + A ** B.
heuristic(power, s(_, _), 1).
heuristic(shift, s(A, B), X) :- B >= 0, X is 1000 + (A << B) + (A >> 1) + (A xor B) + (A /\ B) + (A \/ B).
heuristic(shift, s(_, _), 1).
heuristic(sign, s(A, _), X) :- X is 3 + sign(A) + gcd(A, 6) + msb(8) + \ A + cot(1.0).
heuristic(nested_list, s(A, _), X) :- X is [A] + 5.
heuristic(minmax, s(A, B), X) :- X is max(A, B) - min(A, B) + truncate(A) + 10 + integer(B) + round(A).
heuristic(eval_atom, s(A, _), X) :- A > 0, X is A + foo.
heuristic(eval_atom, s(_, _), 1).
heuristic(chain, s(A, B), 1) :- X is A - B, Y is B - A, X =:= Y.
heuristic(chain, s(_, _), 0).
heuristic(order, s(A, B), 1) :- A =< B, B =< A, A = B.
heuristic(order, s(A, B), 2) :- A + 1 =< B + 1, \+ B + 1 < A + 1.
heuristic(order, s(A, B), 3) :- \+ A = B, A >= B.
heuristic(unused_bag, s(A, B), 1) :- findall(X, (member(Y, [A, B]), X is 6 // Y), _).
heuristic(unused_bag2, s(A, B), N) :- findall(X, (member(Y, [A, B]), X is 6 // Y), L), A > 0, length(L, N).
heuristic(unused_bag2, s(_, _), 5).
heuristic(unused_bag3, s(A, B), N) :- findall(X, (member(Y, [A, B]), Y > foo(X)), L), A > 0, length(L, N).
heuristic(unused_bag3, s(_, _), 5).
heuristic(unused_bag4, s(A, B), 4) :- findall(X, (member(X, [A, B]), X > 0, atom_length(X, _), atom_length(_, X)), _), A > 0.
heuristic(unused_bag4, s(_, _), 5).
heuristic(count_error, s(A, B), N) :- aggregate_all(count, (member(X, [A, B]), _ is 1 // X), N).
heuristic(sum_error, s(A, B), N) :- aggregate_all(sum(Y), (member(X, [A, B]), Y is 12 // X), M), N is abs(M).
heuristic(sum_float, s(A, B), N) :- aggregate_all(sum(Y), (member(X, [A, B]), Y is X / 2), M), N is abs(M).
heuristic(sum_atom, s(A, B), N) :- findall(X, member(X, [A, B, foo]), L), A > 0, sum_list(L, N).
heuristic(sum_atom, s(_, _), 5).
heuristic(max_empty, s(A, B), N) :- aggregate_all(max(X), (member(X, [A, B]), X > 0), N).
heuristic(max_empty, s(_, _), 8).
heuristic(max_witness, s(A, B), N) :- aggregate_all(max(X, Y), member(X-Y, [A-1, B-2]), max(_, N)).
heuristic(min_list, s(A, B), N) :- findall(X, (member(X, [A, B]), X > 0), L), min_list(L, N).
heuristic(min_list, s(_, _), 8).
heuristic(forall_error, s(A, B), 1) :- forall(member(X, [A, B]), 6 // X > -100).
heuristic(forall_error, s(_, _), 0).
heuristic(negated, s(A, B), 1) :- \+ (member(X, [A, B]), 6 // X > 2).
heuristic(negated, s(_, _), 0).
heuristic(catches, s(A, B), X) :- catch(X is A // B + 50, _, X = 3).
heuristic(nth, s(A, _), X) :- nth0(A, [5, 6, 7, 8], X).
heuristic(nth, s(_, _), 1).
heuristic(nth1, s(A, _), X) :- nth1(A, [5, 6, 7, 8], X).
heuristic(nth1, s(_, _), 1).
heuristic(numlist, s(A, B), X) :- numlist(A, B, L), sum_list(L, Y), X is abs(Y).
heuristic(numlist, s(_, _), 1).
big(5000000000000000000, 1) :- !.
big(-3000000000000000000, 3) :- !.
big(0, 4) :- !.
big(_, 2).
