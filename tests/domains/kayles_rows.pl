% Kayles: rows of pins, a ball takes one pin or two neighbours.
initial_state(rows([5,4])).
initial_player(left).
opponent(left, right).
opponent(right, left).

move(_, hit(N, K, L+R), rows(S1), rows(S2)) :-
    append(Before, [N|After], S1),
    member(K, [1,2]),
    Max is N - K,
    between(0, Max, L),
    R is Max - L,
    L =< R,
    append([Before, [L,R], After], S3),
    exclude([X]>>(X =:= 0), S3, S4),
    sort(0, @>=, S4, S2).

terminal(_, rows([])).
utility(_, rows([]), -1).
