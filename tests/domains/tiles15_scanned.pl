% The 15-puzzle on rows. Distances are added up square by square, row by row, in an accumulator.
initial_state([[b,2,5,3], [4,7,6,11], [8,1,10,15], [12,9,13,14]]).

final_state([[b,1,2,3], [4,5,6,7], [8,9,10,11], [12,13,14,15]]).

rule(left,  1, S1, S2) :- row(S1, [X,b], [b,X], S2).
rule(right, 1, S1, S2) :- row(S1, [b,X], [X,b], S2).
rule(up,    1, S1, S2) :- turned(S1, T1), row(T1, [X,b], [b,X], T2), turned(T2, S2).
rule(down,  1, S1, S2) :- turned(S1, T1), row(T1, [b,X], [X,b], T2), turned(T2, S2).

row(S1, [X,Y], [Z,W], S2) :-
    append(Above, [Row1|Below], S1),
    append(Left, [X,Y|Right], Row1),
    append(Left, [Z,W|Right], Row2),
    append(Above, [Row2|Below], S2).

turned([[]|_], []) :- !.
turned(Rows, [Column|Columns]) :-
    first_column(Rows, Column, Rest),
    turned(Rest, Columns).

first_column([], [], []).
first_column([[X|Xs]|Rows], [X|Column], [Xs|Rest]) :- first_column(Rows, Column, Rest).

heuristic(S, H) :- rows(S, 0, 0, H).

rows([], _, H, H).
rows([Row|Rows], R, H0, H) :-
    squares(Row, R, 0, H0, H1),
    R1 is R + 1,
    rows(Rows, R1, H1, H).

squares([], _, _, H, H).
squares([b|Ts], R, C, H0, H) :- !,
    C1 is C + 1,
    squares(Ts, R, C1, H0, H).
squares([T|Ts], R, C, H0, H) :-
    H1 is H0 + abs(R - T // 4) + abs(C - T mod 4),
    C1 is C + 1,
    squares(Ts, R, C1, H1, H).
