% Sudokus that are hard for people and for solvers.
:- use_module(library(clpfd)).

sudoku(Rows) :-
    length(Rows, 9),
    maplist(same_length(Rows), Rows),
    append(Rows, Vs),
    Vs ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    Rows = [A,B,C,D,E,F,G,H,I],
    blocks(A, B, C),
    blocks(D, E, F),
    blocks(G, H, I).

blocks([], [], []).
blocks([A,B,C|Bs1], [D,E,F|Bs2], [G,H,I|Bs3]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    blocks(Bs1, Bs2, Bs3).

% D. Berthier, The hidden logic of sudoku, 2007.
problem(1, [[_,_,_,_,_,_,_,1,2],
            [_,_,_,_,3,5,_,_,_],
            [_,_,_,6,_,_,_,7,_],
            [7,_,_,_,_,_,3,_,_],
            [_,_,_,4,_,_,8,_,_],
            [1,_,_,_,_,_,_,_,_],
            [_,_,_,1,2,_,_,_,_],
            [_,8,_,_,_,_,_,4,_],
            [_,5,_,_,_,_,6,_,_]]).
% A. Inkala, 2010.
problem(2, [[_,_,5,3,_,_,_,_,_],
            [8,_,_,_,_,_,_,2,_],
            [_,7,_,_,1,_,5,_,_],
            [4,_,_,_,_,5,3,_,_],
            [_,1,_,_,7,_,_,_,6],
            [_,_,3,2,_,_,_,8,_],
            [_,6,_,5,_,_,_,_,9],
            [_,_,4,_,_,_,_,3,_],
            [_,_,_,_,_,9,7,_,_]]).
problem(3, [[8,_,_,_,_,_,_,_,_],
            [_,_,3,6,_,_,_,_,_],
            [_,7,_,_,9,_,2,_,_],
            [_,5,_,_,_,7,_,_,_],
            [_,_,_,_,4,5,7,_,_],
            [_,_,_,1,_,_,_,3,_],
            [_,_,1,_,_,_,_,6,8],
            [_,_,8,5,_,_,_,1,_],
            [_,9,_,_,_,_,4,_,_]]).

main :-
    forall(( between(1, 8, _), problem(_, Rows) ),
           ( sudoku(Rows), append(Rows, Vs), labeling([ff], Vs) )).
