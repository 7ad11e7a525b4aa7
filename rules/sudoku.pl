% sudoku.pl: fill in the digits 1 to 9 so that each is once in every row, every column and every box of nine.
%
%     zug solve sudoku.pl                          the first one
%     zug solve sudoku.pl --instance hard          one that needs a search
%     zug solve sudoku.pl --all                    all of them
%     zug solve sudoku.pl --instance open --unique   a puzzle with too few digits has several solutions

:- use_module(library(clpfd)).

model(Name, [rows=Rows]) :-
    puzzle(Name, Rows),
    sudoku(Rows).

sudoku(Rows) :-
    append(Rows, Squares),
    Squares ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    Rows = [A,B,C, D,E,F, G,H,I],
    boxes(A, B, C),
    boxes(D, E, F),
    boxes(G, H, I).

% boxes(Row1, Row2, Row3): the boxes that three rows are made of have different digits.
boxes([], [], []).
boxes([A,B,C|Row1], [D,E,F|Row2], [G,H,I|Row3]) :-
    all_distinct([A,B,C, D,E,F, G,H,I]),
    boxes(Row1, Row2, Row3).

% Constraints alone find all digits.
puzzle(easy,
    [[5,3,_, _,7,_, _,_,_],
     [6,_,_, 1,9,5, _,_,_],
     [_,9,8, _,_,_, _,6,_],
     [8,_,_, _,6,_, _,_,3],
     [4,_,_, 8,_,3, _,_,1],
     [7,_,_, _,2,_, _,_,6],
     [_,6,_, _,_,_, 2,8,_],
     [_,_,_, 4,1,9, _,_,5],
     [_,_,_, _,8,_, _,7,9]]).
% Only 17 digits are given: no puzzle with one solution has fewer.
puzzle(few,
    [[_,_,_, _,_,_, _,1,_],
     [4,_,_, _,_,_, _,_,_],
     [_,2,_, _,_,_, _,_,_],
     [_,_,_, _,5,_, 4,_,7],
     [_,_,8, _,_,_, 3,_,_],
     [_,_,1, _,9,_, _,_,_],
     [3,_,_, 4,_,_, 2,_,_],
     [_,5,_, 1,_,_, _,_,_],
     [_,_,_, 8,_,6, _,_,_]]).
puzzle(hard,
    [[8,_,_, _,_,_, _,_,_],
     [_,_,3, 6,_,_, _,_,_],
     [_,7,_, _,9,_, 2,_,_],
     [_,5,_, _,_,7, _,_,_],
     [_,_,_, _,4,5, 7,_,_],
     [_,_,_, 1,_,_, _,3,_],
     [_,_,1, _,_,_, _,6,8],
     [_,_,8, 5,_,_, _,1,_],
     [_,9,_, _,_,_, 4,_,_]]).
% Without the 5 in the middle of the first row of boxes it is no puzzle any more.
puzzle(open,
    [[5,3,_, _,_,_, _,_,_],
     [6,_,_, 1,9,_, _,_,_],
     [_,9,8, _,_,_, _,6,_],
     [8,_,_, _,6,_, _,_,3],
     [4,_,_, _,_,_, _,_,1],
     [7,_,_, _,2,_, _,_,6],
     [_,6,_, _,_,_, 2,8,_],
     [_,_,_, _,1,9, _,_,5],
     [_,_,_, _,8,_, _,_,9]]).

print_state([rows=Rows]) :-
    nth1(Number, Rows, [A,B,C, D,E,F, G,H,I]),
    format("~w ~w ~w  ~w ~w ~w  ~w ~w ~w~n", [A,B,C, D,E,F, G,H,I]),
    ( Number mod 3 =:= 0, Number < 9 -> nl ; true ),
    fail.
print_state(_).
