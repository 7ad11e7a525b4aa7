% Both reach ends, and the utility is told to one of them alone, whoever is to move.
%! E0502 14
initial_state(s(1, 3)).
initial_player(cop).
opponent(cop, robber).
opponent(robber, cop).
move(cop, M, s(C, R), s(D, R)) :- step(M, C, D).
move(robber, M, s(C, R), s(C, T)) :- step(M, R, T).
step(left, A, B) :- A > 1, B is A - 1.
step(right, A, B) :- A < 4, B is A + 1.
step(stay, A, A).
terminal(_, s(X, X)).

utility(cop, s(X, X), 1).
