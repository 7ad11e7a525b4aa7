% A machine in a nested structure: cpu(acc(A), regs([r(x,X), r(y,Y)]), stack(S)).
initial_state(cpu(acc(0), regs([r(x,3), r(y,5)]), stack([]))).
final_state(cpu(acc(11), _, stack([]))).

rule(load(R), 1, cpu(acc(_), regs(Rs), St), cpu(acc(V), regs(Rs), St)) :- member(r(R,V), Rs).
rule(add(R), 2, cpu(acc(A), regs(Rs), St), cpu(acc(B), regs(Rs), St)) :-
    member(r(R,V), Rs), B is A + V, B < 12.
rule(store(R), 1, cpu(acc(A), regs(Rs), St), cpu(acc(A), regs(Ts), St)) :-
    append(Front, [r(R,V)|Back], Rs), V =\= A,
    append(Front, [r(R,A)|Back], Ts).
rule(push, 1, cpu(acc(A), Rs, stack(S)), cpu(acc(A), Rs, stack([A|S]))) :- S = [].
rule(pop(sub), 1, cpu(acc(A), Rs, stack([X|S])), cpu(acc(B), Rs, stack(S))) :- B is X - A, B >= 0.

heuristic(cpu(acc(A), _, stack(S)), H) :-
    length(S, N),
    ( A =:= 11 -> H = N ; H is N + 1 ).
