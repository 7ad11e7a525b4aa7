% The state is now a number, now a pair, now a list, now an atom.
initial_state(0).
final_state(done).
rule(grow, 1, N, N-N) :- integer(N).
rule(count, 1, N, M) :- integer(N), N < 5, M is N + 1.
rule(list, 1, A-B, [A,B,A]) :- integer(B).
rule(nest, 2, A-B, s(A-B)) :- A > 1.
rule(pop, 1, [_|T], T).
rule(wrap, 1, [X], f(X, [X])).
rule(sum, 1, L, S) :- is_list(L), sum_list(L, S), S < 9.
rule(unwrap, 1, f(X, [X|_]), X).
rule(finish, 3, s(A-_), done) :- A =:= 4.
rule(left, 1, s(A-B), s(B)) :- A > 2.
heuristic(done, 0) :- !.
heuristic(S, 2) :- compound(S), !.
heuristic(_, 3).
