% Lights out as rows of zeros and ones.
initial_state([[1,0,1],
               [0,1,0],
               [1,1,0]]).

final_state(Rows) :- maplist(dark, Rows).

dark(Row) :- maplist(=(0), Row).

rule(press(R,C), 1, Rows1, Rows2) :-
    length(Rows1, N),
    between(1, N, R),
    between(1, N, C),
    rows(Rows1, 1, R, C, Rows2).

% rows(Rows, I, R, C, New): I is the number of the first of the rows
rows([], _, _, _, []).
rows([Row1|Rows1], I, R, C, [Row2|Rows2]) :-
    Far is abs(I - R),
    row(Row1, Far, 1, C, Row2),
    I1 is I + 1,
    rows(Rows1, I1, R, C, Rows2).

row([], _, _, _, []).
row([X|Xs], Far, J, C, [Y|Ys]) :-
    (   Far + abs(J - C) =< 1
    ->  Y is 1 - X
    ;   Y = X
    ),
    J1 is J + 1,
    row(Xs, Far, J1, C, Ys).

heuristic(Rows, H) :-
    maplist(sum_list, Rows, Sums),
    sum_list(Sums, N),
    H is (N + 4) // 5.
