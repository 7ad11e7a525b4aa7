% A small sudoku (4 x 4): rows of lists, 0 is empty, always the first empty cell.
initial_state([[1,0,0,0],
               [0,0,3,0],
               [0,4,0,0],
               [0,0,0,0]]).
final_state(S) :- maplist([R]>>( \+ memberchk(0, R) ), S).

rule(c(R,C)=N, 1, S, T) :-
    first_empty(S, R, C),
    between(1, 4, N),
    allowed(S, R, C, N),
    replace(R, C, N, S, T).

first_empty(S, R, C) :- nth1(R, S, Row), nth1(C, Row, 0), !.

allowed(S, R, C, N) :-
    nth1(R, S, Row), \+ member(N, Row),
    \+ ( member(Row2, S), nth1(C, Row2, N) ),
    \+ ( nth1(R2, S, Row2), same_half(R, R2), nth1(C2, Row2, N), same_half(C, C2) ).

same_half(A, B) :- (A - 1) // 2 =:= (B - 1) // 2.

replace(1, C, N, [Row|S], [New|S]) :- !, change(C, N, Row, New).
replace(R, C, N, [Row|S], [Row|T]) :- R1 is R - 1, replace(R1, C, N, S, T).

change(1, N, [_|Xs], [N|Xs]) :- !.
change(C, N, [X|Xs], [X|Ys]) :- C1 is C - 1, change(C1, N, Xs, Ys).
