% Three players on a row of seven squares: two neighbours of your own win.
initial_state([_,_,_,_,_,_,_]).
initial_player(r).
opponent(r, g).
opponent(g, b).
opponent(b, r).

move(P, N, S1, S2) :-
    same_length(S1, S2),
    append(L, [X|R], S1),
    var(X),
    append(L, [P|R], S2),
    length(L, N).

pair(S, P) :- append(_, [A,B|_], S), A == P, B == P.

terminal(_, S) :- member(P, [r,g,b]), pair(S, P), !.
terminal(_, S) :- ground(S).

utility(P, S, U) :- pair(S, P), !, U = 3.
utility(_, S, U) :- member(Q, [r,g,b]), pair(S, Q), !, U = 0.
utility(_, _, 1).

heuristic(P, S, H) :- include([X]>>(X == P), S, Xs), length(Xs, H).
