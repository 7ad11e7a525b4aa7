% What is drawn in the start is seen in the clauses, what is drawn in moves is not.
initial_state(s(N)) :- random_between(1, 1, N).
final_state(s(9)).
step(E) :- E = random(2).
rule(m, 1, s(N), s(M)) :- N < 9, step(E), D is E, M is N + 1 + 0*D.
