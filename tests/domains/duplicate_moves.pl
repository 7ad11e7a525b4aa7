% A clumsy program: many ways to say the same move, with different prices.
initial_state(s(0, [])).
final_state(s(12, _)).

rule(N, C, s(X, L), s(Y, M)) :-
    ( N = add, D = 1, C = 2 ; N = add, D = 1, C = 1 ; N = jump(D), member(D, [2,3,2]), C is D * D ),
    Y is X + D,
    Y =< 12,
    ( L = [] -> M = [D] ; L = [D|_] -> M = L ; M = [D] ).
rule(add, 1, s(X, L), s(Y, L)) :- X > 0, L \= [], succ(X, Y0), member(Y, [Y0,Y0]), Y =< 12.

heuristic(s(X, _), H) :- H is (12 - X) // 3.
heuristic(s(_, _), 0).
