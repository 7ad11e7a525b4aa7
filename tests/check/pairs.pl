% A successor with arithmetic in it, in states that are pairs.
%! W0516 9
%= rule(pour12, 1, A-B, A1-B1) :- A > 0, B < 3, T is min(A, 3-B), A1 is A-T, B1 is B+T.
initial_state(0-0). final_state(2-_).
rule(fill1, 1, _-B, 4-B).
rule(fill2, 1, A-_, A-3).
rule(empty1, 1, _-B, 0-B).
rule(empty2, 1, A-_, A-0).
rule(pour12, 1, A-B, A1-B1) :- A > 0, B < 3, T is min(A, 3-B), A1 = A-T, B1 is B+T.
rule(pour21, 1, A-B, A1-B1) :- B > 0, A < 4, T is min(B, 4-A), B1 is B-T, A1 is A+T.
