% Puzzles by generate and test: SEND + MORE = MONEY, magic squares, a farmer,
% change for coins, knights, subset sums.

digit_of(D, Ds, Rest) :- select(D, Ds, Rest).

add(C0, X, Y, Z, C) :- S is X+Y+C0, Z is S mod 10, C is S // 10.

send([S,E,N,D,M,O,R,Y]) :-
    M = 1,
    Ds0 = [0,2,3,4,5,6,7,8,9],
    select(D, Ds0, Ds1), select(E, Ds1, Ds2),
    add(0, D, E, Y, C1), select(Y, Ds2, Ds3),
    select(N, Ds3, Ds4), select(R, Ds4, Ds5),
    add(C1, N, R, E, C2),
    select(O, Ds5, Ds6),
    add(C2, E, O, N, C3),
    select(S, Ds6, _), S > 0,
    add(C3, S, M, O, M).

magic([A,B,C,D,E,F,G,H,I]) :-
    permutation([1,2,3,4,5,6,7,8,9], [A,B,C,D,E,F,G,H,I]),
    15 =:= A+B+C, 15 =:= D+E+F, 15 =:= G+H+I,
    15 =:= A+D+G, 15 =:= B+E+H, 15 =:= C+F+I,
    15 =:= A+E+I, 15 =:= C+E+G.

change(0, _, []) :- !.
change(N, [C|Cs], [C|R]) :- N >= C, M is N-C, change(M, [C|Cs], R).
change(N, [_|Cs], R) :- N > 0, change(N, Cs, R).

subset_sum([], 0, []).
subset_sum([X|Xs], S, [X|Ys]) :- X =< S, S1 is S-X, subset_sum(Xs, S1, Ys).
subset_sum([_|Xs], S, Ys) :- subset_sum(Xs, S, Ys).

jump(N, X/Y, X1/Y1) :-
    member(DX/DY, [1/2,2/1,2/ -1,1/ -2,-1/ -2,-2/ -1,-2/1,-1/2]),
    X1 is X+DX, X1 >= 1, X1 =< N, Y1 is Y+DY, Y1 >= 1, Y1 =< N.
tour(N, P) :- M is N*N, tour(N, M, [1/1], P).
tour(_, M, P, P) :- length(P, M), !.
tour(N, M, [S|P], R) :- jump(N, S, T), \+ memberchk(T, [S|P]), tour(N, M, [T,S|P], R).

hanoi(0, _, _, _, []) :- !.
hanoi(N, A, B, C, Ms) :-
    N1 is N-1, hanoi(N1, A, C, B, M1), hanoi(N1, C, B, A, M2),
    append(M1, [A-B|M2], Ms).

color(red). color(green). color(blue).
map([A,B,C,D]) :-
    color(A), color(B), A \== B, color(C), C \== A, C \== B, color(D), D \== B, D \== C.

%? send(L).
%= L = [9,5,6,7,1,0,8,2]
%? once(magic(L)).
%= L = [2,7,6,9,5,1,4,3,8]
%? findall(L, change(12, [10,5,2,1], L), Ls), length(Ls, N).
%= L = _, Ls = [[10,2],[10,1,1],[5,5,2],[5,5,1,1],[5,2,2,2,1],[5,2,2,1,1,1],[5,2,1,1,1,1,1],[5,1,1,1,1,1,1,1],[2,2,2,2,2,2],[2,2,2,2,2,1,1],[2,2,2,2,1,1,1,1],[2,2,2,1,1,1,1,1,1],[2,2,1,1,1,1,1,1,1,1],[2,1,1,1,1,1,1,1,1,1,1],[1,1,1,1,1,1,1,1,1,1,1,1]], N = 15
%? change(7, [5,2], L).
%= L = [5,2]
%? findall(S, subset_sum([1,2,3,4,5], 6, S), L).
%= S = _, L = [[1,2,3],[1,5],[2,4]]
%? tour(5, [Last|_]), jump(5, Last, _), !.
%= Last = 1/5
%? hanoi(3, a, b, c, Ms).
%= Ms = [a-b,a-c,b-c,a-b,c-a,c-b,a-b]
%? hanoi(10, a, b, c, _Ms), length(_Ms, N).
%= N = 1023
%? map(L).
%= L = [red,green,blue,red]
%= L = [red,blue,green,red]
%= L = [green,red,blue,green]
%= L = [green,blue,red,green]
%= L = [blue,red,green,blue]
%= L = [blue,green,red,blue]
