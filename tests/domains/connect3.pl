% Connect Three on a board of 3 columns and 4 rows. Columns are lists that grow,
% the newest piece first.
initial_state([[],[],[]]).
initial_player(red).
opponent(red, yellow).
opponent(yellow, red).

move(P, drop(N), Cols, New) :-
    nth1(N, Cols, Col),
    length(Col, L), L < 4,
    same_but(1, N, P, Cols, New).

same_but(_, _, _, [], []).
same_but(N, N, P, [C|Cs], [[P|C]|Cs]) :- !.
same_but(I, N, P, [C|Cs], [C|Ds]) :- J is I + 1, same_but(J, N, P, Cs, Ds).

piece(Cols, X, Y, P) :- nth1(X, Cols, C), reverse(C, R), nth1(Y, R, P).

three(Cols, P) :-
    piece(Cols, X, Y, P),
    member(Dx-Dy, [1-0, 0-1, 1-1, 1-(-1)]),
    X2 is X + Dx, Y2 is Y + Dy, piece(Cols, X2, Y2, P),
    X3 is X2 + Dx, Y3 is Y2 + Dy, piece(Cols, X3, Y3, P).

terminal(J, S) :- opponent(J, A), three(S, A), !.
terminal(_, S) :- maplist([C]>>length(C, 4), S).

utility(J, S, U) :- opponent(J, A), ( three(S, A) -> U = -1 ; U = 0 ).
