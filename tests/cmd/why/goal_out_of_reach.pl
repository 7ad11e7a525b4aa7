% Two jugs of 4 and 3 litres, and a goal that the second cannot hold.
% query: bfs(_, _)
% culprit: 5
initial_state(jugs(0, 0)).
final_state(jugs(2, 4)).
rule(fill_a, 1, jugs(_, B), jugs(4, B)).
rule(fill_b, 1, jugs(A, _), jugs(A, 3)).
rule(empty_a, 1, jugs(_, B), jugs(0, B)).
rule(empty_b, 1, jugs(A, _), jugs(A, 0)).
rule(a_to_b, 1, jugs(A, B), jugs(A1, B1)) :-
    D is min(A, 3 - B), D > 0, A1 is A - D, B1 is B + D.
rule(b_to_a, 1, jugs(A, B), jugs(A1, B1)) :-
    D is min(B, 4 - A), D > 0, A1 is A + D, B1 is B - D.
