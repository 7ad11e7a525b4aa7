% Two starts: what excludes each other from the first one on does not from the second one on.
initial_state(one, [a(1), d(1)]).
initial_state(two, [c, d(2)]).
final_state(S) :- member(d(1), S), member(d(2), S).
rule(go_a(P,Q), 1, S, T) :- select(a(P), S, R), na(P, Q), sort([a(Q)|R], T).
rule(go_d(P,Q), 1, S, T) :- select(d(P), S, R), nd(P, Q), sort([d(Q)|R], T).
rule(join, 1, S, T) :- member(d(X), S), member(a(Y), S), subtract(S, [a(Y), d(X)], R), sort([c|R], T).
rule(part, 1, S, T) :- member(c, S), subtract(S, [c], R), sort([a(1), d(1)|R], T).
na(1,2). na(2,3). na(3,4). na(4,1).
nd(1,2). nd(2,1).
