% Division by what is left: zero is reached on some ways.
initial_state(p(12, 4)).
final_state(p(0, _)).
rule(div, 1, p(A,B), p(C,B)) :- C is A // B.
rule(mod, 1, p(A,B), p(A,C)) :- A > 0, C is B - 1, C >= 0.
rule(inv, 2, p(A,B), p(B,A)) :- A < 6, A \== B.
rule(up, C, p(A,B), p(A,D)) :- B < 3, D is B + 2, C is 1 + A mod B.
heuristic(p(A,_), H) :- A > 0, !, H is 1 + log(A) * 0.
heuristic(_, 0).
