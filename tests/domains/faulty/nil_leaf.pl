% A square may hold the empty list, a list, or an atom of the same look.
initial_state(b([], x, '[]', [x])).
final_state(b([x,x], _, _, [])).

rule(swap12, 1, b(A,B,C,D), b(B,A,C,D)).
rule(rot, 1, b(A,B,C,D), b(B,C,D,A)).
rule(push, 2, b(A,B,C,[]), b([x|A],B,C,[])) :- is_list(A), length(A, N), N < 2.
rule(pop, 1, b(A,B,C,[x|D]), b(A,B,C,D)).
rule(len(N), 1, b(A,B,C,D), b(A,C,B,D)) :- length(A, N), N > 0.

heuristic(b(A,_,_,D), H) :- ( D == [] -> H1 = 0 ; H1 = 1 ), ( A = [_|_] -> H = H1 ; H is H1 + 1 ).
