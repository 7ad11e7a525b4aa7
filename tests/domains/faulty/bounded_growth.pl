% The state grows around in a circle, up to a depth of 12.
initial_state(z).
final_state(S) :- depth(S, 12), S = b(_).

rule(A, 1, S, T) :- depth(S, N), N < 12, next(S, A), T =.. [A,S].
rule(strip, 1, T, S) :- T =.. [_,S].
rule(strip2, 1, a(b(S)), S).
rule(flat, 2, S, z) :- depth(S, 12).

next(z, a).
next(a(_), b).
next(b(_), c).
next(b(_), a).
next(c(_), a).

depth(z, 0).
depth(T, N) :- T =.. [_,S], depth(S, M), N is M + 1.

heuristic(S, H) :- depth(S, D), H is 12 - D.
