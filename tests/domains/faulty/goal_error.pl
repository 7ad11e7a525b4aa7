% Whether it is over can't be said in every state.
initial_state(q([], 0)).
final_state(q([X|_], N)) :- X * 2 =:= N + 4.
rule(put(V), 1, q(L, N), q([V|L], M)) :- length(L, K), K < 3, member(V, [1,b,N]), M is N + 1.
rule(out, 1, q([_|L], N), q(L, N)).
heuristic(q(L, _), H) :- length(L, N), H is 3 - N.
