% A lock with three wheels and some combinations that jam it.
initial_state(0-0-0).
final_state(7-7-1).

jam(A-B-C) :- 1 is (A * B + C) mod 5.
jam(5-_-5).

rule(turn(Wheel, Dir), 1, S1, S2) :-
    wheel(Wheel, S1, D1, S2, D2),
    click(Dir, D1, D2),
    ( S2 = 7-7-1 -> true ; \+ jam(S2) ).

wheel(1, A-B-C, A, D-B-C, D).
wheel(2, A-B-C, B, A-D-C, D).
wheel(3, A-B-C, C, A-B-D, D).

click(up, D1, D2) :- D2 is (D1 + 1) mod 10.
click(down, D1, D2) :- D2 is (D1 + 9) mod 10.

heuristic(A-B-C, H) :- dist(A, 7, X), dist(B, 7, Y), dist(C, 1, Z), H is X + Y + Z.

dist(A, B, D) :- D0 is abs(A - B), D is min(D0, 10 - D0).
