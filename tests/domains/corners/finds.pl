% Values that stand in no, one or several places; answers in order, with repetition.
initial_state([A, B, C, D]) :- V = [x, y, 200], member(A, V), member(B, V), member(C, V), member(D, V).
rule(where(I), 1, L, M) :- nth1(I, L, x), sub(L, I, y, M).
rule(next(I), J, L, M) :- append(P, [x, Y|S], L), length(P, I), append(P, [Y, x|S], M), J is I + 1.
rule(twice, 1, [A, B, C, D], [B, A, C, D]) :- ( A = x ; B = x ; C = x ; A = x ; D = x ; B = x ; C = y ; C = x ; C = y ; C = 200 ).
rule(wide, 1, [A, B, C, D], [D, C, B, A]) :- ( A = 200 ; B = 200 ; C = 200 ; D = 200 ; A = 200 ).
rule(pick(X), 1, L, M) :- select(X, L, R), append(R, [X], M).
sub([_|T], 1, X, [X|T]) :- !.
sub([H|T], I, X, [H|S]) :- J is I - 1, sub(T, J, X, S).
final_state(L) :- \+ ( member(X, L), X \== x ).
heuristic(count, L, N) :- aggregate_all(count, member(x, L), N).
heuristic(sum, L, N) :- aggregate_all(sum(I), nth1(I, L, x), N).
heuristic(sum2, L, N) :- findall(I, ( nth1(I, L, X), X \== x ), Is), sum_list(Is, N).
heuristic(max, L, N) :- aggregate_all(max(I), nth1(I, L, x), N).
heuristic(max, _, 0).
heuristic(pairs, L, N) :- aggregate_all(count, ( append(_, [X|T], L), member(Y, T), X @< Y ), N).
heuristic(twice, L, N) :- aggregate_all(count, member(x, L), A), aggregate_all(count, ( member(X, L), X \== x ), B), ( A > B -> N is A * A + B ; aggregate_all(count, member(y, L), C), N is A * C + A ).
heuristic(nested, L, N) :- aggregate_all(sum(M), ( nth1(I, L, x), aggregate_all(count, ( nth1(J, L, y), J < I ), M) ), N).
heuristic(nested2, L, N) :- aggregate_all(count, member(x, L), A), aggregate_all(sum(M), ( member(Y, L), Y \== x, aggregate_all(count, member(Y, L), B), M is A * B ), N).
heuristic(nested3, L, N) :- findall(M, ( member(Y, L), aggregate_all(count, member(Y, L), M), M > 1 ), Ms), sum_list(Ms, N).
heuristic(nested4, L, N) :- aggregate_all(max(M), ( member(Y, L), aggregate_all(count, member(Y, L), M) ), A), aggregate_all(min(M), ( member(Y, L), aggregate_all(count, member(Y, L), M) ), B), N is A - B.
heuristic(numbers, L, N) :- aggregate_all(sum(X), ( member(X, L), integer(X) ), N).
heuristic(numbers2, L, N) :- include(integer, L, Is), sum_list(Is, N).
heuristic(longest, L, N) :- findall(K, ( append(_, S, L), append(R, _, S), R \== [], forall(member(X, R), X == x), length(R, K) ), Ks), max_list([0|Ks], N).
heuristic(groups, L, N) :- msort(L, M), runs(M, N).
runs([], 0).
runs([X|T], N) :- drop(T, X, R), runs(R, M), N is M + 1.
drop([X|T], X, R) :- !, drop(T, X, R).
drop(R, _, R).
