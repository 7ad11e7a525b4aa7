% The 15-puzzle on rows. All distances are collected in a list and added up, with a lookup of where each tile belongs.
initial_state([[vide,2,5,3], [4,7,6,11], [8,1,10,15], [12,9,13,14]]).

final_state([[vide,1,2,3], [4,5,6,7], [8,9,10,11], [12,13,14,15]]).

rule(up,    1, S1, S2) :- in_columns(swap(_, vide), S1, S2).
rule(down,  1, S1, S2) :- in_columns(swap(vide, _), S1, S2).
rule(left,  1, S1, S2) :- in_rows(swap(_, vide), S1, S2).
rule(right, 1, S1, S2) :- in_rows(swap(vide, _), S1, S2).

in_rows(swap(X, Y), S1, S2) :-
    append(Above, [Row1|Below], S1),
    append(Left, [X,Y|Right], Row1),
    append(Left, [Y,X|Right], Row2),
    append(Above, [Row2|Below], S2).

in_columns(Swap, S1, S2) :-
    columns(S1, T1),
    in_rows(Swap, T1, T2),
    columns(T2, S2).

columns([[]|_], []) :- !.
columns(Rows, [Column|Columns]) :-
    maplist([[X|Xs],X,Xs]>>true, Rows, Column, Rest),
    columns(Rest, Columns).

at(Row, Column, Tile, State) :- nth1(Row, State, Line), nth1(Column, Line, Tile).

heuristic(State, H) :-
    final_state(Final),
    findall(D, ( at(R, C, Tile, State), Tile \== vide,
                 at(RF, CF, Tile, Final),
                 D is abs(R - RF) + abs(C - CF) ), Ds),
    sum_list(Ds, H).
