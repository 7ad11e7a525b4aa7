% Tic-tac-toe, or noughts and crosses.
%
% Two players, x and o, in turn put their sign on an empty square of the board.
% Who first fills a row, a column or a diagonal with it wins; a full board without
% that is a draw.
%
% A state is the list of the rows of the board.  An empty square is an unbound
% variable.  A move is named after its square, [Row,Column].
%
% Things to try: how deep must one look never to lose?  Play x in the corner: which
% answers of o don't lose?  Then let the size be 4.

size(3).                % squares in a row

initial_state(S) :-
    size(N),
    length(S, N),
    maplist(empty_row(N), S).

empty_row(N, Row) :- length(Row, N).

initial_player(x).

opponent(x, o).
opponent(o, x).

% Put J on an empty square.
move(J, [R,C], S1, S2) :-
    nth1(R, S1, Row1, Rows),
    nth1(C, Row1, Square, Squares),
    var(Square),
    nth1(C, Row2, J, Squares),
    nth1(R, S2, Row2, Rows).

% alignment(S, Squares): they make a row, a column or a diagonal of S.
alignment(S, Row) :-
    member(Row, S).
alignment(S, Column) :-
    S = [Row|_],
    nth1(C, Row, _),
    maplist(nth1(C), S, Column).
alignment(S, Diagonal) :-
    diagonal(S, Diagonal).
alignment(S, Diagonal) :-
    reverse(S, UpsideDown),
    diagonal(UpsideDown, Diagonal).

diagonal(S, Diagonal) :-
    length(S, N),
    numlist(1, N, Columns),
    maplist(nth1, Columns, S, Diagonal).

% won(J, S): an alignment of S is full of J.
won(J, S) :-
    alignment(S, Squares),
    maplist(==(J), Squares), !.

full(S) :-
    \+ ( member(Row, S), member(Square, Row), var(Square) ).

terminal(J, S) :- opponent(J, A), won(A, S), !.
terminal(J, S) :- won(J, S), !.
terminal(_, S) :- full(S).

utility(J, S,  10000) :- won(J, S), !.
utility(J, S, -10000) :- opponent(J, A), won(A, S), !.
utility(_, _, 0).

% The alignments that J can still fill, less those that the opponent can.
heuristic(J, S,  10000) :- won(J, S), !.
heuristic(J, S, -10000) :- opponent(J, A), won(A, S), !.
heuristic(J, S, H) :-
    opponent(J, A),
    open_alignments(J, S, Own),
    open_alignments(A, S, Others),
    H is Own - Others.

open_alignments(J, S, N) :-
    opponent(J, A),
    findall(x, ( alignment(S, Squares), \+ blocked(A, Squares) ), Open),
    length(Open, N).

blocked(A, Squares) :-
    member(Square, Squares),
    Square == A, !.

print_state(S) :-
    forall(member(Row, S), print_row(Row)).

print_row(Row) :-
    forall(member(Square, Row), ( write(' '), print_square(Square) )), nl.

print_square(Square) :- var(Square), !, write('.').
print_square(J) :- write(J).

% mirrored(S1, S2): S2 is S1 turned or mirrored.  For pictures alone, as of
%     zug tree rules/tictactoe.pl --depth 2 --graph --symmetry
% Called symmetry/2, the engines would heed it too.
mirrored(S1, S2) :- reverse(S1, S2).
mirrored(S1, S2) :-
    S1 = [Row|_],
    findall(C, nth1(C, Row, _), Columns),
    maplist(column(S1), Columns, S2).

column(S, C, Column) :- maplist(nth1(C), S, Column).

% The state in pictures; a line that wins is marked.
draw_state(S, Rows) :-
    findall(Row,
            ( nth1(R, S, Squares), findall([R,C]-Square, nth1(C, Squares, Square), Row) ),
            Numbered),
    findall(P, ( won_line(Numbered, Line), member(P-_, Line) ), Won),
    findall(Row, ( member(Squares, Numbered), draw_row(Squares, Won, Row) ), Rows).

won_line(Numbered, Line) :-
    opponent(J, _),
    alignment(Numbered, Line),
    forall(member(_-Square, Line), Square == J).

draw_row(Squares, Won, Row) :-
    findall(cell(Text, Looks),
            ( member(P-Square, Squares),
              draw_square(Square, Text, Ink),
              ( memberchk(P, Won) -> Looks = [mark|Ink] ; Looks = Ink ) ),
            Row).

draw_square(Square, '', []) :- var(Square), !.
draw_square(x, x, [ink(blue)]).
draw_square(o, o, [ink(red)]).
