% A game with players in the state, errors in some states, and names with variables.
initial_state(g(0, x, [_, _])).
initial_state(g(3, y, [a, _])).
initial_state(g(5, x, [])).
initial_player(x).
opponent(x, y).
opponent(y, x).
to_move(g(_, J, _), J).
move(J, add(K), g(N, J, L), g(M, I, L)) :- opponent(J, I), member(K, [1, 2, 3]), M is N + K, M =< 12.
move(J, set(X), g(N, J, [A, B]), g(N, J, [X, B])) :- var(A), member(X, [a, b, B]).
move(J, drop, g(N, J, [_|T]), g(N, I, T)) :- ( N mod 5 =:= 2 -> opponent(J, I) ; I = J ).
move(J, divide(K), g(N, J, L), g(K, J, L)) :- N > 6, K is N // (N - 9).
terminal(_, g(N, _, _)) :- N >= 12, !.
terminal(J, S) :- \+ move(J, _, S, _).
utility(J, g(N, J, _), U) :- !, U is N - 10.
utility(_, g(N, _, L), U) :- length(L, K), U is 10 - N * K.
heuristic(J, g(N, J, L), H) :- findall(X, ( member(X, L), nonvar(X) ), Xs), length(Xs, K), H is K * 10 - N, !.
heuristic(x, g(N, _, _), H) :- H is 7 / (N - 4).
heuristic(y, g(N, _, [A|_]), H) :- ( A = a -> H = N ; H is N * 2 ).
heuristic(_, _, 0).
