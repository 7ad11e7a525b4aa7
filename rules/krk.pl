% King and rook against king: the first ending that a chess player learns.
%
% White has a king and a rook, black a king.  White mates, or it is a draw: black can't move
% and is not in check, or takes the rook.
%
% A state is krk(N, King, Rook, Black): the board has N files and ranks, then come the squares of
% the white king, of the rook (or `taken`) and of the black king; a square is File-Rank.
% A move is king(Square) or rook(Square).
%
% With best play white mates in 16 moves at most, on the board of 8 x 8.
%
% Instances: `four` is small, on a board of 4 x 4; `eight` on the real board.
%
% Things to try: the queen instead of the rook; a board without edges on two sides.

initial_state(four,  krk(4, 1-1, 2-1, 3-3)).
initial_state(eight, krk(8, 1-1, 2-2, 3-3)).

initial_player(white).

opponent(white, black).
opponent(black, white).

move(white, king(To), krk(N, King, Rook, Black), krk(N, To, Rook, Black)) :-
    step(N, King, To),
    To \== Rook,
    \+ beside(To, Black).
move(white, rook(To), krk(N, King, Rook, Black), krk(N, King, To, Black)) :-
    direction(Way),
    slide(Way, N, Rook, [King,Black], To).
move(black, king(To), krk(N, King, Rook, Black), krk(N, King, Rook2, To)) :-
    step(N, Black, To),
    \+ beside(To, King),
    (   To == Rook
    ->  Rook2 = taken
    ;   \+ attacks(Rook, King, To),
        Rook2 = Rook
    ).

% step(N, From, To): a king can step from one square to the other one.
step(N, F1-R1, F2-R2) :-
    member(DF-DR, [(-1)-(-1),(-1)-0,(-1)-1,0-(-1),0-1,1-(-1),1-0,1-1]),
    F2 is F1 + DF,
    R2 is R1 + DR,
    on_board(N, F2-R2).

on_board(N, F-R) :-
    F >= 1, F =< N,
    R >= 1, R =< N.

% beside(A, B): two squares touch.
beside(F1-R1, F2-R2) :-
    abs(F1 - F2) =< 1,
    abs(R1 - R2) =< 1.

direction(1-0).
direction((-1)-0).
direction(0-1).
direction(0-(-1)).

% slide(Way, N, From, Pieces, To): the rook can go that way, as far as the next piece.
slide(DF-DR, N, F1-R1, Pieces, To) :-
    F2 is F1 + DF,
    R2 is R1 + DR,
    on_board(N, F2-R2),
    \+ memberchk(F2-R2, Pieces),
    (   To = F2-R2
    ;   slide(DF-DR, N, F2-R2, Pieces, To)
    ).

% attacks(Rook, King, Square): the rook attacks the square, and the king is not between.
attacks(F-R1, King, F-R2) :- R1 =\= R2, \+ ( King = F-R, between_two(R1, R, R2) ).
attacks(F1-R, King, F2-R) :- F1 =\= F2, \+ ( King = F-R, between_two(F1, F, F2) ).

between_two(A, B, C) :- A < B, B < C.
between_two(A, B, C) :- C < B, B < A.

check(krk(_, King, Rook, Black)) :-
    attacks(Rook, King, Black).

terminal(_, krk(_, _, taken, _)) :- !.
terminal(black, S) :- \+ move(black, _, S, _).

utility(J, S, U) :-
    (   S = krk(_, _, taken, _)
    ->  U = 0
    ;   check(S), \+ move(black, _, S, _)
    ->  ( J == black -> U = -1 ; U = 1 )
    ;   U = 0
    ).

heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(_, _, 0).

print_state(krk(N, King, Rook, Black)) :-
    Pieces = [King-'K',Rook-'R',Black-k],
    forall(between(1, N, I),
           ( Rank is N + 1 - I, print_rank(Rank, N, Pieces) )).

print_rank(Rank, N, Pieces) :-
    forall(between(1, N, File), ( write(' '), print_square(File-Rank, Pieces) )), nl.

print_square(Square, Pieces) :- member(Square-Piece, Pieces), !, write(Piece).
print_square(_, _) :- write('.').

% The same in pictures.
draw_state(krk(N, King, Rook, Black), Rows) :-
    Pieces = [King-'♔',Rook-'♖',Black-'♚'],
    findall(Row, ( between(1, N, I), Rank is N + 1 - I, draw_rank(Rank, N, Pieces, Row) ), Rows).

draw_rank(Rank, N, Pieces, Row) :-
    findall(cell(Piece, [fill(Shade),ink(black)]),
            ( between(1, N, File), shade(File, Rank, Shade), piece(File-Rank, Pieces, Piece) ),
            Row).

piece(Square, Pieces, Piece) :- memberchk(Square-Piece, Pieces), !.
piece(_, _, '').

shade(File, Rank, '#b58863') :- (File + Rank) mod 2 =:= 0, !.
shade(_, _, '#f0d9b5').
