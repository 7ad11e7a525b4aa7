% Connect Four (H. Wexler, 1974).
%
% Two players, x and o, in turn drop a disc into a column of an upright board; it
% falls to the lowest empty square.  Who first has four discs side by side, in a
% column, a row or a diagonal, wins.  A full board without that is a draw.
%
% A state is the list of the columns of the board, from left to right, and a column
% is the list of its squares, the lowest first: x, o, or `-` where it is empty.  A move
% is the number of its column.
%
% Values for x, who begins, by the width of the board (J. Tromp):
%
%                   4     5     6     7
%     height 4    draw  draw  loss  draw
%     height 5    draw  draw  draw  draw
%     height 6    draw  draw  loss  win      (V. Allis, J. Allen, 1988)
%
% Things to try: play against an engine; solve the board of the instance `small`, 5 wide
% and 4 high; put the columns in the middle first in move/4 and see how many nodes that
% saves.

width(7).
height(6).

initial_state(S) :-
    width(W),
    height(H),
    empty_board(W, H, S).

initial_state(small, S) :- empty_board(5, 4, S).

empty_board(W, H, S) :-
    length(Column, H),
    maplist(=(-), Column),
    length(S, W),
    maplist(=(Column), S).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, C, S1, S2) :-
    nth1(C, S1, Column1, Columns),
    drop(J, Column1, Column2),
    nth1(C, S2, Column2, Columns).

% drop(J, Column1, Column2): J lies on the lowest empty square.
drop(J, [-|Above], [J|Above]) :- !.
drop(J, [Disc|Above1], [Disc|Above2]) :-
    drop(J, Above1, Above2).

% four(S, Squares): four squares of S that lie side by side in a column, or in four
% columns that do: in a row, a rising or a falling diagonal.
four([Column|_], [P,Q,R,T]) :-
    append(_, [P,Q,R,T|_], Column).
four([A,B,C,D|_], Squares) :-
    abreast(A, B, C, D, Squares).
four([A,[_|B],[_,_|C],[_,_,_|D]|_], Squares) :-
    abreast(A, B, C, D, Squares).
four([[_,_,_|A],[_,_|B],[_|C],D|_], Squares) :-
    abreast(A, B, C, D, Squares).
four([_|Columns], Squares) :-
    four(Columns, Squares).

abreast([P|_], [Q|_], [R|_], [T|_], [P,Q,R,T]).
abreast([_|A], [_|B], [_|C], [_|D], Squares) :-
    abreast(A, B, C, D, Squares).

won(J, S) :-
    four(S, [J,J,J,J]), !.

full(S) :-
    \+ ( member(Column, S), last(Column, -) ).

% Only the player who has just moved can have won.
terminal(J, S) :- opponent(J, A), won(A, S), !.
terminal(_, S) :- full(S).

utility(J, S, -10000) :- opponent(J, A), won(A, S), !.
utility(J, S,  10000) :- won(J, S), !.
utility(_, _, 0).

% The sum over all fours of their worth.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    findall(V, ( four(S, Squares), worth(Squares, J, 0, 0, V) ), Vs),
    sum_list(Vs, H).

% worth(Squares, J, Own, Others, V): V is the worth of a four, with those Squares still to
% be looked at, and so many discs of J and of the opponent seen already.  A four with
% discs of both is worth nothing, else it is the square of their number.
worth([], _, Own, 0, V) :- !, V is Own * Own.
worth([], _, 0, Others, V) :- V is -Others * Others.
worth([-|Squares], J, Own, Others, V) :- !,
    worth(Squares, J, Own, Others, V).
worth([J|Squares], J, Own, Others, V) :- !,
    Own1 is Own + 1,
    worth(Squares, J, Own1, Others, V).
worth([_|Squares], J, Own, Others, V) :-
    Others1 is Others + 1,
    worth(Squares, J, Own, Others1, V).

% The rows from the highest down, and the numbers of the columns.
print_state(S) :-
    S = [Column|_],
    length(Column, H),
    forall(between(1, H, I), ( R is H + 1 - I, print_row(R, S) )),
    forall(nth1(C, S, _), ( write(' '), write(C) )), nl.

print_row(R, S) :-
    forall(( member(Column, S), nth1(R, Column, Square) ),
           ( write(' '), print_square(Square) )),
    nl.

print_square(-) :- !, write('.').
print_square(J) :- write(J).

% The same in pictures, with discs of two colours; four that win are marked.
draw_state(S, Rows) :-
    S = [Column|_],
    length(Column, H),
    numbered(S, Numbered),
    findall(P, ( four(Numbered, [A-J,B-J,C-J,D-J]), J \== (-), member(P, [A,B,C,D]) ), Won),
    findall(Row, ( between(1, H, I), R is H + 1 - I, draw_row(R, Numbered, Won, Row) ), Rows).

numbered(S, Numbered) :-
    findall(Column,
            ( nth1(C, S, Discs), findall([R,C]-Disc, nth1(R, Discs, Disc), Column) ),
            Numbered).

draw_row(R, Numbered, Won, Row) :-
    findall(Square,
            ( member(Column, Numbered), nth1(R, Column, P-Disc),
              ( memberchk(P, Won) -> Looks = [mark] ; Looks = [] ),
              draw_square(Disc, Looks, Square) ),
            Row).

draw_square(-, _, '').
draw_square(x, Looks, cell(x, [disc(yellow)|Looks])).
draw_square(o, Looks, cell(o, [disc(red)|Looks])).

% A click anywhere on a column drops a disc into it.
click(C, [Column|_], R-C) :-
    length(Column, H),
    between(1, H, R).
