% Ultimate tic-tac-toe: nine boards of tic-tac-toe, and a large one that they make up.
%
% Two players, x and o, in turn mark a square of one of the nine small boards.  The square
% that a player takes says on which board the opponent must move: the one in the same
% place of the large board.  If that one is decided, he may choose.  Three in a row win a
% small board, and three small boards in a row win the game.  A board that is full
% without that is nobody's; when all boards are decided and nobody has won, it is a
% draw.
%
% A state is ultimate(Boards, Large, Next).  Boards are the nine small boards, row by row,
% each a list of nine squares: `x`, `o`, or `-` where it is empty.  Large says who has won
% each of them: `x`, `o`, `draw`, or `-` if it is not decided.  Next is the board to move
% on, or `any`.  A move is [Board,Square].
%
% Lines of play by their length from the start: 81, 720, 6336, 55080, 473256.
%
% Instances: `late`, near the end of a game, where one move of x wins at once; and `start`.
%
% Things to try: let who is sent to a decided board lose his turn.

initial_state(late,
    ultimate([[-,-,x,-,x,o,x,-,-],
              [o,x,o,x,-,x,o,o,o],
              [-,-,-,-,-,x,o,o,o],
              [o,o,o,-,-,x,-,x,-],
              [o,x,o,-,x,o,x,-,-],
              [o,x,-,x,x,-,o,o,x],
              [o,x,x,o,-,-,o,-,-],
              [o,o,x,-,-,-,x,x,-],
              [x,x,x,-,-,-,o,-,-]],
             [x,o,o,o,-,-,o,-,x], any)).
initial_state(start, ultimate(Boards, Board, any)) :-
    length(Board, 9),
    maplist(=(-), Board),
    length(Boards, 9),
    maplist(=(Board), Boards).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, [B,C], ultimate(Boards1, Large1, Next1), ultimate(Boards2, Large2, Next2)) :-
    board(Next1, B),
    nth1(B, Large1, -),
    nth1(B, Boards1, Board1),
    nth1(C, Board1, -),
    put(C, J, Board1, Board2),
    put(B, Board2, Boards1, Boards2),
    decided(J, Board2, Sign),
    put(B, Sign, Large1, Large2),
    next_board(C, Large2, Next2).

% board(Next, B): it may be played on board B.
board(any, B) :- !, between(1, 9, B).
board(B, B).

% decided(J, Board, Sign): what the large board shows for it after a move of J.
decided(J, Board, J) :- three(J, Board), !.
decided(_, Board, -) :- memberchk(-, Board), !.
decided(_, _,     draw).

next_board(C, Large, C) :- nth1(C, Large, -), !.
next_board(_, _, any).

three(J, [J,J,J,_,_,_,_,_,_]).
three(J, [_,_,_,J,J,J,_,_,_]).
three(J, [_,_,_,_,_,_,J,J,J]).
three(J, [J,_,_,J,_,_,J,_,_]).
three(J, [_,J,_,_,J,_,_,J,_]).
three(J, [_,_,J,_,_,J,_,_,J]).
three(J, [J,_,_,_,J,_,_,_,J]).
three(J, [_,_,J,_,J,_,J,_,_]).

% put(I, X, Xs, Ys): Ys is Xs with X in place I.
put(1, X, [_|Xs], [X|Xs]) :- !.
put(I, X, [Y|Xs], [Y|Ys]) :-
    I1 is I - 1,
    put(I1, X, Xs, Ys).

% Only the player who has just moved can have won.
terminal(J, ultimate(_, Large, _)) :- opponent(J, A), three(A, Large), !.
terminal(_, ultimate(_, Large, _)) :- \+ memberchk(-, Large).

utility(J, ultimate(_, Large, _), U) :-
    opponent(J, A),
    (   three(J, Large) -> U = 100
    ;   three(A, Large) -> U = -100
    ;   U = 0
    ).

% The small boards that J has won, less those of the opponent.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, ultimate(_, Large, _), H) :-
    opponent(J, A),
    count(J, Large, Own),
    count(A, Large, Others),
    H is Own - Others.

count(J, Large, N) :-
    findall(x, member(J, Large), Won),
    length(Won, N).

print_state(ultimate(Boards, _, Next)) :-
    forall(member(B, [1,4,7]), print_boards(B, Boards)),
    write('next board: '), write(Next), nl.

% Three boards beside one another, the first one being B.
print_boards(B, Boards) :-
    forall(member(C, [1,4,7]), ( print_squares(B, C, Boards), nl )),
    nl.

print_squares(B, C, Boards) :-
    B2 is B + 2,
    C2 is C + 2,
    forall(between(B, B2, I),
           ( write(' '),
             nth1(I, Boards, Board),
             forall(( between(C, C2, J), nth1(J, Board, Square) ), print_square(Square)) )).

print_square(-) :- !, write(' .').
print_square(J) :- write(' '), write(J).

% The same in pictures: boards that are won have the colour of the winner, those on which the
% next move must be are white.
draw_state(S, Rows) :-
    findall(Row, ( between(0, 8, R), draw_row(R, S, Row) ), Rows).

draw_row(R, S, Row) :-
    findall(Square, ( between(0, 8, C), draw_square(R, C, S, Square) ), Row).

draw_square(R, C, ultimate(Boards, Large, Next), cell(Text, [fill(Colour),ink(black)])) :-
    B is R // 3 * 3 + C // 3 + 1,
    I is R mod 3 * 3 + C mod 3 + 1,
    nth1(B, Boards, Board),
    nth1(I, Board, Sign),
    ( Sign == (-) -> Text = '' ; Text = Sign ),
    nth1(B, Large, Winner),
    colour(Winner, B, Next, Colour).

colour(x, _, _, sky).
colour(o, _, _, orange).
colour(draw, _, _, grey).
colour(-, B, Next, Colour) :-
    (   board(Next, B)
    ->  Colour = white
    ;   Colour = '#dddddd'
    ).

% A move colours whole boards: a click means the square alone.
click([B,I], _, R-C) :-
    R is (B - 1) // 3 * 3 + (I - 1) // 3 + 1,
    C is (B - 1) mod 3 * 3 + (I - 1) mod 3 + 1.
