% Left recursion.
%! W0506 7
initial_state(a). final_state(c).
edge(a, b). edge(b, c).
rule(go, 1, X, Y) :- path(X, Y).
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
