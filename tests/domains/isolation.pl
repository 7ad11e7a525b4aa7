% Isolation on 3 x 3: move like a king, the square left behind is gone.
% iso(White, Black, Gone)
initial_state(iso(1/1, 3/3, [])).
initial_player(white).
opponent(white, black).
opponent(black, white).

move(white, To, iso(W,B,Gone), iso(To,B,Gone2)) :- king(W, To), To \== B, \+ member(To, Gone), sort([W|Gone], Gone2).
move(black, To, iso(W,B,Gone), iso(W,To,Gone2)) :- king(B, To), To \== W, \+ member(To, Gone), sort([B|Gone], Gone2).

king(X/Y, X1/Y1) :-
    Xa is X - 1, Xb is X + 1, Ya is Y - 1, Yb is Y + 1,
    between(Xa, Xb, X1), X1 > 0, X1 < 4,
    between(Ya, Yb, Y1), Y1 > 0, Y1 < 4,
    X1/Y1 \== X/Y.

terminal(J, S) :- \+ move(J, _, S, _).
utility(_, _, -1).

heuristic(J, S, H) :-
    opponent(J, A),
    findall(M, move(J,M,S,_), Ms), findall(M, move(A,M,S,_), As),
    length(Ms, X), length(As, Y), H is X - Y.
