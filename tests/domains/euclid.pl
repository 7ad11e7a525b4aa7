% The game of Euclid: subtract a multiple of the smaller number from the larger.
% Who makes a zero wins. Numbers as A:B.
initial_state(50:17).
initial_player(one).
opponent(one, two).
opponent(two, one).

move(_, minus(M), A:B, C:D) :-
    A > 0, B > 0,
    (   A >= B
    ->  Q is A // B, between(1, Q, K), M is K * B, C is A - M, D = B
    ;   Q is B // A, between(1, Q, K), M is K * A, D is B - M, C = A
    ).

terminal(_, A:B) :- 0 is A * B.

utility(_, _, -1).

heuristic(_, A:B, H) :-
    Max is max(A, B), Min is min(A, B),
    (   Min =:= 0 -> H = -1
    ;   Max * 2 > 3.236 * Min -> H = 1
    ;   H = -1
    ).
