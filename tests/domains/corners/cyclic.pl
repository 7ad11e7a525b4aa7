% Terms that contain themselves, and long ones.
initial_state(s(_, _)).
initial_state(s(a, _)).
initial_state(s(_, b)).
initial_state(s(1, 2)).
initial_state(s(a, 2)).
initial_state(s([], [])).
rule(here, 1, s(A, B), s(A, B)) :- atomic(A).
rule(two, 1, s(A, B), s(A, A)) :- B == 2.
heuristic(list, s(A, _), N) :- ( A = [x|A], A = [P|_], P == x -> N = 1 ; N = 2 ).
heuristic(deep, s(A, _), N) :- deep(3000, A, T), ( T = f(_) -> N = 1 ; N = 2 ).
heuristic(deep_sum, s(A, _), N) :- integer(A), deep_sum(3000, A, T), N is T.
heuristic(deep_sum, s(_, _), 1).
deep(0, T, T) :- !.
deep(N, A, f(T)) :- M is N - 1, deep(M, A, T).
deep_sum(0, T, T) :- !.
deep_sum(N, A, T + 1) :- M is N - 1, deep_sum(M, A, T).
final_state(s(x, _)).
