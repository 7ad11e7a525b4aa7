% Three in a row on 3 x 3, empty squares unbound: a move copies the board and binds one of them.

initial_state(Board) :- length(Board, 9).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, at(I), Board1, Board2) :-
    copy_term(Board1, Board2),
    nth1(I, Board2, Square),
    var(Square),
    Square = J.

row(1, 2, 3). row(4, 5, 6). row(7, 8, 9).
row(1, 4, 7). row(2, 5, 8). row(3, 6, 9).
row(1, 5, 9). row(3, 5, 7).

won(J, Board) :-
    row(A, B, C),
    nth1(A, Board, X), X == J,
    nth1(B, Board, Y), Y == J,
    nth1(C, Board, Z), Z == J.

terminal(J, Board) :- opponent(J, K), won(K, Board), !.
terminal(_, Board) :- ground(Board).

utility(J, Board, -1) :- opponent(J, K), won(K, Board), !.
utility(_, _, 0).
