% Many atoms and wide numbers: words of more than a byte.
initial_state(s(A, B)) :- member(N, [1, 100, 127, 128, 140, 250]), atom_concat(v, N, A), member(B, [0, 79, 80, -16, -17, 300]).
rule(all(X), 1, s(A, B), s(X, B)) :- numlist(1, 250, L), member(N, L), atom_concat(v, N, X), A == v1, B =:= 0.
rule(up, 1, s(A, B), s(A, C)) :- B < 1000, C is B * 7 + 1.
rule(huge, 1, s(A, B), s(A, C)) :- B > 100, B < 100000000000000, C is B * B.
rule(switch, C, s(A, B), s(v5, B)) :- c(A, C).
rule(table, C, s(A, B), s(A, C)) :- c(B, C).
rule(order, 1, s(A, B), s(x, B)) :- A @< v140.
rule(order2, 1, s(A, B), s(y, B)) :- A @> v99, B @< 81.
c(v1, 1). c(v100, 2). c(v127, 3). c(v128, 4). c(v140, 5). c(v250, 6).
c(0, 1). c(79, 2). c(80, 3). c(-16, 4). c(-17, 5). c(300, 6). c(561, 7). c(2101, 8).
final_state(s(v250, 300)).
heuristic(count, s(A, B), N) :- aggregate_all(count, ( member(X, [A, B]), c(X, _) ), N).
heuristic(sum, s(A, B), N) :- aggregate_all(sum(C), ( member(X, [A, B]), c(X, C) ), N).
heuristic(max, s(A, B), N) :- aggregate_all(max(C), ( member(X, [A, B]), c(X, C) ), N).
heuristic(max, _, 0).
heuristic(not, s(A, B), N) :- aggregate_all(count, ( member(X, [A, B]), \+ c(X, _) ), N).
