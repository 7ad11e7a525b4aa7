% Nine men's morris, or mill: a game of the Romans at the latest.
%
%     1--------2--------3
%     |        |        |
%     |  4-----5-----6  |
%     |  |     |     |  |
%     |  |  7--8--9  |  |
%     |  |  |     |  |  |
%     10-11-12    13-14-15
%     |  |  |     |  |  |
%     |  |  16-17-18 |  |
%     |  |     |     |  |
%     |  19----20---21  |
%     |        |        |
%     22------23-------24
%
% Two players, white and black, first put nine men each on empty points, in turn; then they
% slide a man along a line to the next point.  Who has but three men left may jump
% to any empty point.  Three men in a line are a mill: who closes one takes a man of
% the opponent, one that is in no mill if there is such a man.  Who has less than three
% men, or can't move, loses.
%
% A state is morris(Board, White, Black): Board is the list of the 24 points, `w`, `b` or
% `-`; White and Black are the men still to be put down.  A move is put(P), A-B, or take(M, P)
% where M closes a mill and takes the man on P.
%
% With best play the game is a draw (R. Gasser, 1996).  It can go on for ever.  There are
% 7,673,759,269 states of sliding and jumping up to symmetry, too many to solve it here.
%
% Things to try: play against `mcts`; three men's morris is small enough to be solved.

initial_state(morris(Board, 9, 9)) :-
    length(Board, 24),
    maplist(=(-), Board).

initial_player(w).

opponent(w, b).
opponent(b, w).

% line(A, B, C): three points in a line, B in the middle.
line( 1,  2,  3).   line( 4,  5,  6).   line( 7,  8,  9).   line(10, 11, 12).
line(13, 14, 15).   line(16, 17, 18).   line(19, 20, 21).   line(22, 23, 24).
line( 1, 10, 22).   line( 4, 11, 19).   line( 7, 12, 16).   line( 2,  5,  8).
line(17, 20, 23).   line( 9, 13, 18).   line( 6, 14, 21).   line( 3, 15, 24).

% next(A, B): a line leads from A to B, with no point between.
next(A, B) :- line(A, B, _).
next(A, B) :- line(_, A, B).
next(A, B) :- line(B, A, _).
next(A, B) :- line(_, B, A).

% All moves that there can be, whoever makes them.
actions(Moves) :- findall(Move, action(Move), Moves).

action(Move) :- brings(Move, _).
action(take(Move, Q)) :- brings(Move, P), between(1, 24, Q), Q =\= P.

% brings(Move, P): Move brings a man to the point P.
brings(put(P), P) :- between(1, 24, P).
brings(A-B, B) :- between(1, 24, A), between(1, 24, B), A =\= B.

move(J, Move, S1, S3) :-
    man(J, M, S1, P, S2),
    (   mill(J, P, S2)
    ->  Move = take(M, Q),
        take(J, Q, S2, S3)
    ;   Move = M,
        S3 = S2
    ).

% man(J, M, S1, P, S2): J brings a man to the point P.
man(J, put(P), morris(Board1, W1, B1), P, morris(Board2, W2, B2)) :-
    from_hand(J, W1, B1, W2, B2),
    change(P, -, J, Board1, Board2).
man(J, A-B, morris(Board1, W, K), B, morris(Board3, W, K)) :-
    hand(J, W, K, 0),
    men(J, Board1, N),
    nth1(A, Board1, J),
    reaches(N, A, B),
    nth1(B, Board1, -),
    change(A, J, -, Board1, Board2),
    change(B, -, J, Board2, Board3).

from_hand(w, W1, B, W2, B) :- W1 > 0, W2 is W1 - 1.
from_hand(b, W, B1, W, B2) :- B1 > 0, B2 is B1 - 1.

hand(w, W, _, W).
hand(b, _, B, B).

% reaches(N, A, B): who has N men may go from A to B.
reaches(3, _, B) :- !, between(1, 24, B).
reaches(_, A, B) :- next(A, B).

% change(P, X, Y, Board1, Board2): on P there was X, and now there is Y.
change(P, X, Y, Board1, Board2) :-
    nth1(P, Board1, X, Others),
    nth1(P, Board2, Y, Others).

men(J, Board, N) :-
    findall(x, member(J, Board), Men),
    length(Men, N).

% mill(J, P, S): P is in a line of three men of J.
mill(J, P, morris(Board, _, _)) :-
    line(A, B, C),
    ( P = A ; P = B ; P = C ),
    nth1(A, Board, J),
    nth1(B, Board, J),
    nth1(C, Board, J), !.

% take(J, P, S1, S2): J takes a man of the opponent from P.
take(J, P, S1, S2) :-
    opponent(J, A),
    S1 = morris(Board1, W, B),
    S2 = morris(Board2, W, B),
    (   free_man(A, S1, _)
    ->  free_man(A, S1, P)
    ;   nth1(P, Board1, A)
    ),
    change(P, A, -, Board1, Board2).

% free_man(A, S, P): the man of A on P is in no mill.
free_man(A, S, P) :-
    S = morris(Board, _, _),
    nth1(P, Board, A),
    \+ mill(A, P, S).

terminal(J, morris(Board, W, B)) :-
    hand(J, W, B, Hand),
    men(J, Board, N),
    Hand + N < 3, !.
terminal(J, S) :-
    \+ man(J, _, S, _, _).

% Who is to move has lost.
utility(_, _, -1).

% The men of J less those of the opponent.
heuristic(J, morris(Board, W, B), H) :-
    opponent(J, A),
    all_men(J, Board, W, B, Own),
    all_men(A, Board, W, B, Others),
    H is (Own - Others) / 10.

all_men(J, Board, W, B, N) :-
    hand(J, W, B, Hand),
    men(J, Board, Men),
    N is Hand + Men.

print_state(morris(Board, W, B)) :-
    forall(picture(Line), print_line(Line, Board)),
    format("in hand: white ~d, black ~d~n", [W,B]).

% The lines of the picture: numbers are points.
picture([1,'-----',2,'-----',3]).
picture(['| ',4,'---',5,'---',6,' |']).
picture(['| | ',7,'-',8,'-',9,' | |']).
picture([10,'-',11,'-',12,'   ',13,'-',14,'-',15]).
picture(['| | ',16,'-',17,'-',18,' | |']).
picture(['| ',19,'---',20,'---',21,' |']).
picture([22,'-----',23,'-----',24]).

print_line(Line, Board) :-
    forall(member(X, Line), print_part(X, Board)), nl.

print_part(P, Board) :- integer(P), !, nth1(P, Board, Man), print_man(Man).
print_part(Part, _) :- write(Part).

print_man(-) :- !, write('.').
print_man(J) :- write(J).

% The same in pictures: points are coloured; below stand the men in hand.
draw_state(morris(Board, W, B), Rows) :-
    findall(Row, ( drawing(Line), draw_line(Line, Board, Row) ), Points),
    Hand = ['',cell('', [disc(white)]),W,'',cell('', [disc(black)]),B,''],
    append(Points, [Hand], Rows).

drawing([1,-,-,2,-,-,3]).
drawing(['|',4,-,5,-,6,'|']).
drawing(['|','|',7,8,9,'|','|']).
drawing([10,11,12,'',13,14,15]).
drawing(['|','|',16,17,18,'|','|']).
drawing(['|',19,-,20,-,21,'|']).
drawing([22,-,-,23,-,-,24]).

draw_line(Line, Board, Row) :-
    findall(Square, ( member(X, Line), draw_part(X, Board, Square) ), Row).

draw_part(P, Board, cell('', [fill('#f0d9b5')|Disc])) :-
    integer(P), !,
    nth1(P, Board, Man),
    draw_man(Man, Disc).
draw_part(Part, _, Part).

draw_man(-, []).
draw_man(w, [disc(white)]).
draw_man(b, [disc(black)]).

% A click on a point means the man that is put or goes there, and one on a hostile man takes it.
click(put(P), _, Square) :- place(P, Square).
click(A-B, _, Square) :- ( place(A, Square) ; place(B, Square) ).
click(take(M, Q), S, Square) :- ( click(M, S, Square) ; place(Q, Square) ).

place(P, R-C) :-
    findall(Line, drawing(Line), Lines),
    nth1(R, Lines, Line),
    nth1(C, Line, P), !.
