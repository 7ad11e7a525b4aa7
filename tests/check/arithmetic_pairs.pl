% Pairs, and expressions that are meant as terms: nothing to be said.
initial_state(p(1-1, [a-1, b-2])). final_state(p(3-3, _)).
rule(go, 1, p(X-Y, L), p(X1-Y1, L)) :- X < 3, X1 is X + 1, Y1 is Y + 1, near(X-Y, X1-Y1, L).
near(P, Q, L) :- P \== Q, member(K-V, L), Pair = K-V, Pair == a-1.
