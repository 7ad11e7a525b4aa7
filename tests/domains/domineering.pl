% Domineering on 3 x 4: vertical and horizontal dominoes, free squares listed.
initial_state(Free) :- findall(c(X,Y), ( between(1, 4, X), between(1, 3, Y) ), Free).
initial_player(v).
opponent(v, h).
opponent(h, v).

move(v, X/Y, S1, S3) :- member(c(X,Y), S1), Y1 is Y + 1, delete(S1, c(X,Y), S2), S2 \== S1, selectchk(c(X,Y1), S2, S3).
move(h, X/Y, S1, S3) :- member(c(X,Y), S1), X1 is X + 1, delete(S1, c(X,Y), S2), S2 \== S1, selectchk(c(X1,Y), S2, S3).

terminal(J, S) :- \+ move(J, _, S, _).
utility(_, _, -1).

heuristic(J, S, H) :-
    aggregate_all(count, move(J, _, S, _), A),
    opponent(J, K),
    aggregate_all(count, move(K, _, S, _), B),
    H is A - B.
