% Sliding tiles, two rows of three, rows as lists, e for empty
initial_state([[c,a,e],[b,d,f]]).
final_state([[a,b,c],[d,f,e]]).

rule(left,  1, S, T) :- append(Above, [Row|Below], S), append(L, [X,e|R], Row),
                        append(L, [e,X|R], NewRow), append(Above, [NewRow|Below], T).
rule(right, 1, S, T) :- append(Above, [Row|Below], S), append(L, [e,X|R], Row),
                        append(L, [X,e|R], NewRow), append(Above, [NewRow|Below], T).
rule(up,    1, [R1,R2], [T1,T2]) :- vert(R1, R2, T1, T2).
rule(down,  1, [R1,R2], [T1,T2]) :- vert(R2, R1, T2, T1).

% the hole is in the second row and goes up
vert([X|Xs], [e|Ys], [e|Xs], [X|Ys]).
vert([X|Xs], [Y|Ys], [X|Xs1], [Y|Ys1]) :- vert(Xs, Ys, Xs1, Ys1).

place(S, T, R-C) :- nth1(R, S, Row), nth1(C, Row, T), !.

heuristic(manhattan, S, H) :-
    final_state(G),
    findall(D, ( member(T, [a,b,c,d,f]), place(S, T, R1-C1), place(G, T, R2-C2),
                 D is abs(R1-R2) + abs(C1-C2) ), Ds),
    sum_list(Ds, H).
heuristic(misplaced, S, H) :-
    final_state(G),
    aggregate_all(count, ( member(T, [a,b,c,d,f]), place(S, T, P), \+ place(G, T, P) ), H).
heuristic(zero, _, 0).
