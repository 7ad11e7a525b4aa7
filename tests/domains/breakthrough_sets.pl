% Breakthrough on 3 x 4: sorted lists of the pieces of either side, which only get shorter. The first
% state is not in order.

initial_state(pawns([2-1,1-1,3-1], [3-4,2-4,1-4])).

initial_player(white).

opponent(white, black).
opponent(black, white).

move(white, From/To, pawns(W1,B1), pawns(W2,B2)) :- goes(1, W1, B1, From, To, W2, B2).
move(black, From/To, pawns(W1,B1), pawns(W2,B2)) :- goes(-1, B1, W1, From, To, B2, W2).

goes(D, Own1, Other1, X-Y, X1-Y1, Own2, Other2) :-
    select(X-Y, Own1, Rest),
    Y1 is Y + D, between(1, 4, Y1),
    between(-1, 1, DX), X1 is X + DX, between(1, 3, X1),
    \+ memberchk(X1-Y1, Own1),
    ( DX =:= 0 -> \+ memberchk(X1-Y1, Other1) ; true ),
    delete(Other1, X1-Y1, Other2),
    sort([X1-Y1|Rest], Own2).

terminal(white, pawns(_, B)) :- member(_-1, B), !.
terminal(black, pawns(W, _)) :- member(_-4, W), !.
terminal(_, pawns([], _)).
terminal(_, pawns(_, [])).
terminal(J, S) :- \+ move(J, _, S, _).

utility(_, _, -1).

heuristic(white, pawns(W,B), H) :- length(W, N), length(B, M), H is N - M.
heuristic(black, pawns(W,B), H) :- length(W, N), length(B, M), H is M - N.
