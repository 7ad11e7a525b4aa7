% A start whose facts are out of order, and one move that keeps their order: two ways to write one set.
initial_state(s(0, [p(1), lamp])).
final_state(s(1, [lamp])).
rule(go(P,Q), 1, s(N,S), s(N,T)) :- select(p(P), S, R), e(P, Q), sort([p(Q)|R], T).
rule(drop(P), 1, s(0,S), s(1,T)) :- select(p(P), S, T).
e(1,2). e(2,3). e(2,1). e(3,1). e(3,4). e(4,1).
