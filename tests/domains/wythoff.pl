% Wythoff's queen: go left, down or diagonally; who reaches the corner wins.
initial_state(queen(7,9)).
initial_player(a).
opponent(a, b).
opponent(b, a).

move(_, left(K), queen(X,Y), queen(X1,Y)) :- between(1, X, K), X1 is X - K.
move(_, down(K), queen(X,Y), queen(X,Y1)) :- between(1, Y, K), Y1 is Y - K.
move(_, both(K), queen(X,Y), queen(X1,Y1)) :-
    M is min(X, Y),
    between(1, M, K),
    X1 is X - K, Y1 is Y - K.

terminal(_, queen(0,0)).
utility(_, queen(0,0), -1).

% the golden ratio says it all
heuristic(_, queen(X,Y), H) :-
    D is abs(X - Y),
    F is truncate(D * (1 + sqrt(5)) / 2),
    (  F =:= min(X, Y) -> H = -1.0 ; H = 1.0 ).
