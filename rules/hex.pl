% Hex (P. Hein, 1942; J. Nash, 1948).
%
% Two players, x and o, in turn put a stone on an empty square of a rhombus of hexagons.
% x wants to join the top to the bottom with a chain of stones, o the left side to
% the right one.  One of them always succeeds: there is no draw, and with best play
% who begins wins (J. Nash).
%
% A state is the list of the rows of the board, `x`, `o`, or `-` where it is empty.  Each row
% lies half a square to the right of the one above it, so a square [R,C] has the
% neighbours [R,C-1], [R,C+1], [R-1,C], [R-1,C+1], [R+1,C-1] and [R+1,C].  A move is
% named after its square.
%
% Instances: `two`, `three`, `four`, `seven` and `eleven`, with so many rows and columns.
%
% Things to try: which first moves win on `three`?  Let the second player take over the
% first stone, if he likes to.

initial_state(two, S)    :- empty_board(2, S).
initial_state(three, S)  :- empty_board(3, S).
initial_state(four, S)   :- empty_board(4, S).
initial_state(seven, S)  :- empty_board(7, S).
initial_state(eleven, S) :- empty_board(11, S).

empty_board(N, Rows) :-
    length(Row, N),
    maplist(=(-), Row),
    length(Rows, N),
    maplist(=(Row), Rows).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, [R,C], S1, S2) :-
    append(Above, [Row1|Below], S1),
    append(Left, [-|Right], Row1),
    length([_|Above], R),
    length([_|Left], C),
    append(Left, [J|Right], Row2),
    append(Above, [Row2|Below], S2).

% Only the player who has just moved can have won.
terminal(J, S) :-
    opponent(J, A),
    joined(A, S).

% joined(J, S): a chain of J joins his two sides.
joined(J, S) :-
    length(S, N),
    findall(Square, ( first_side(J, N, Square), stone(Square, S, J) ), Start),
    group(Start, J, S, Start, Group),
    member(Square, Group),
    last_side(J, N, Square), !.

first_side(x, N, [1,C]) :- between(1, N, C).
first_side(o, N, [R,1]) :- between(1, N, R).

last_side(x, N, [N,_]).
last_side(o, N, [_,N]).

stone([R,C], S, J) :-
    nth1(R, S, Row),
    nth1(C, Row, J).

% group(Squares, J, S, Seen, Group): Group is Seen and all the squares with stones of J that
% can be reached from Squares.
group([], _, _, Group, Group).
group([Square|Squares], J, S, Seen, Group) :-
    findall(Next,
            ( neighbour(Square, Next), stone(Next, S, J), \+ memberchk(Next, Seen) ),
            New),
    append(New, Squares, Squares1),
    append(New, Seen, Seen1),
    group(Squares1, J, S, Seen1, Group).

neighbour([R,C1], [R,C2]) :- C2 is C1 - 1.
neighbour([R,C1], [R,C2]) :- C2 is C1 + 1.
neighbour([R1,C], [R2,C]) :- R2 is R1 - 1.
neighbour([R1,C], [R2,C]) :- R2 is R1 + 1.
neighbour([R1,C1], [R2,C2]) :- R2 is R1 - 1, C2 is C1 + 1.
neighbour([R1,C1], [R2,C2]) :- R2 is R1 + 1, C2 is C1 - 1.

% Who is to move has lost.
utility(_, _, -1).

% The rows and columns that have a stone of J, less those of the opponent.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    opponent(J, A),
    spread(J, S, Own),
    spread(A, S, Others),
    H is (Own - Others) / 100.

spread(x, S, N) :-
    findall(x, ( member(Row, S), memberchk(x, Row) ), Rows),
    length(Rows, N).
spread(o, S, N) :-
    findall(C, ( member(Row, S), nth1(C, Row, o) ), Cs),
    sort(Cs, Columns),
    length(Columns, N).

print_state(S) :-
    forall(nth1(R, S, Row), print_row(R, Row)).

print_row(R, Row) :-
    tab(R),
    forall(member(Square, Row), ( print_square(Square), write(' ') )), nl.

print_square(-) :- !, write('.').
print_square(J) :- write(J).

% The same in pictures; the chain that wins is marked.
draw_state(S, Rows) :-
    winning_chain(S, Chain),
    findall(Row, ( nth1(R, S, Squares), draw_row(R, Squares, Chain, Row) ), Rows).

% winning_chain(S, Chain): the stones that are joined to a side, if they join it to the other one.
winning_chain(S, Chain) :-
    opponent(J, _),
    joined(J, S), !,
    length(S, N),
    findall(Square, ( first_side(J, N, Square), stone(Square, S, J) ), Start),
    group(Start, J, S, Start, Chain).
winning_chain(_, []).

draw_row(R, Squares, Chain, Row) :-
    findall(cell('', Looks),
            ( nth1(C, Squares, Square), draw_square(Square, Disc),
              ( memberchk([R,C], Chain) -> Looks = [mark|Disc] ; Looks = Disc ) ),
            Row).

draw_square(-, []).
draw_square(x, [disc(blue)]).
draw_square(o, [disc(red)]).
