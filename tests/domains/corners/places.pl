% Elements of lists with their places, asked for in every way.
initial_state([A, B, C]) :- V = [x, y, 2], member(A, V), member(B, V), member(C, V).
rule(at(I, X), 1, L, M) :- nth0(I, L, X), reverse(L, M).
rule(known(X), 1, [A, B, C], [B, C, A]) :- nth1(2, [A, B, C], X).
rule(itself(I), 1, [A, B, C], [C, A, B]) :- nth1(I, [A, B, C], I).
rule(of_leaf(I), 1, [A, B, C], [A, C, B]) :- nth0(I, [B, 2, C, A], A).
rule(by_leaf(X), 1, [A, B, C], [B, A, C]) :- integer(A), nth1(A, [B, C], X).
rule(none(I), 1, L, L) :- nth0(I, [], x).
rule(open(I), 1, [A, B, C], [C, B, A]) :- once(nth1(I, [A, B|_], y)).
rule(ends(I), 1, [A, B, C], [B, B, A]) :- T = [A], once(nth0(I, [C, B|T], x)).
rule(parts(I), 1, [A, B, C], [X, B, A]) :- nth1(I, [f(A), g(B), f(C)], f(X)).
rule(binds(I, Y), 1, [A, B, C], [Y, A, B]) :- nth0(I, [A, Y, C], x), ( var(Y) -> Y = y ; true ).
rule(before(I, J), J, L, M) :- nth1(I, L, x), nth1(J, L, y), I < J, append(P, [_], L), append([2], P, M).
rule(first(I), 1, [A, B, C], [A, A, C]) :- nth0(I, [A, B, C], 2), !.
rule(last, 1, [A, B, C], [C, C, A]) :- \+ nth1(_, [A, B, C], y).
final_state(L) :- \+ ( nth1(I, L, X), X \== x, I > 0 ).
heuristic(first, L, N) :- nth0(N, L, x), !.
heuristic(first, _, 3).
heuristic(sum, L, N) :- findall(I, ( nth1(I, L, X), X \== x ), Is), sum_list(Is, N).
heuristic(apart, L, N) :- aggregate_all(count, ( nth0(I, L, X), nth0(J, [x, y, 2], X), I =\= J ), N).
heuristic(farthest, L, N) :- aggregate_all(max(I), ( nth1(I, L, X), ( X == 2 ; X == y ) ), N), !.
heuristic(farthest, _, 0).
heuristic(values, L, N) :- aggregate_all(sum(V), ( nth1(I, L, X), integer(X), V is I * X ), N).
