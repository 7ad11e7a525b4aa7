% Two jugs, of 4 and 3 litres.
initial_state(two, s(0, 0)).
initial_state(five, s(4, 3)).
final_state(s(2, _)).

rule(fill(a), 1, s(_, B), s(4, B)).
rule(fill(b), 1, s(A, _), s(A, 3)).
rule(empty(a), 1, s(_, B), s(0, B)).
rule(empty(b), 1, s(A, _), s(A, 0)).
rule(pour(b, a), 1, s(A, B), s(A1, B1)) :- N is min(B, 4 - A), N > 0, A1 is A + N, B1 is B - N.

:- expect(two, cost(6)).
:- expect(five, solved, points(2)).
