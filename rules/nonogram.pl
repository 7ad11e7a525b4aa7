% nonogram.pl: colour squares of a grid; the numbers beside rows and above columns say how long their blocks are.
%
%     zug solve nonogram.pl               a small picture
%     zug solve nonogram.pl --unique      and that it is the only one

:- use_module(library(clpfd)).

model(heart, Vars) :-
    picture([[1,1],[5],[5],[3],[1]], [[2],[4],[4],[4],[2]], Vars).
model(cup, Vars) :-
    picture([[3],[6],[4,1],[6],[3],[5]], [[3,1],[6],[6],[6],[1,1,1],[3]], Vars).

picture(RowBlocks, ColumnBlocks, [rows=Rows]) :-
    same_length(RowBlocks, Rows),
    maplist(same_length(ColumnBlocks), Rows),
    maplist(blocks, RowBlocks, Rows),
    transpose(Rows, Columns),
    maplist(blocks, ColumnBlocks, Columns).

% blocks(Blocks, Squares): a finite automaton reads the squares, 1 where they are coloured.
blocks(Blocks, Squares) :-
    arcs(Blocks, 0, Last, Arcs),
    automaton(Squares, [source(0),sink(Last)], Arcs).

% Behind the last block there are only empty squares; between two there is at least one.
arcs([], State, State, [arc(State,0,State)]).
arcs([Block|Blocks], State, Last, [arc(State,0,State)|Arcs]) :-
    block(Block, State, End, Arcs, Rest),
    gap(Blocks, End, Next, Rest, Others),
    arcs(Blocks, Next, Last, Others).

block(Length, State, End, Arcs, Rest) :-
    (   Length =:= 0
    ->  End = State,
        Arcs = Rest
    ;   Next is State + 1,
        Arcs = [arc(State,1,Next)|Others],
        Shorter is Length - 1,
        block(Shorter, Next, End, Others, Rest)
    ).

gap([], End, End, Arcs, Arcs).
gap([_|_], End, Next, [arc(End,0,Next)|Arcs], Arcs) :-
    Next is End + 1.

print_state([rows=Rows]) :-
    forall(member(Row, Rows), ( forall(member(Square, Row), print_square(Square)), nl )).

print_square(1) :- write(' #').
print_square(0) :- write(' .').
