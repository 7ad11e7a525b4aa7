% Missionaries and cannibals, the way textbooks present search: one problem, and
% depth-first, breadth-first, iterative deepening and A* as separate programs
% over the same move/2, with lists as queues and readable output.

% A state is (M, C, Bank): missionaries and cannibals on the left, and the boat.

start((3, 3, left)).
goal((0, 0, right)).

boat(1, 0).
boat(2, 0).
boat(0, 1).
boat(0, 2).
boat(1, 1).

move((M1, C1, left), (M2, C2, right)) :-
    boat(M, C), M1 >= M, C1 >= C,
    M2 is M1 - M, C2 is C1 - C,
    legal(M2, C2).
move((M1, C1, right), (M2, C2, left)) :-
    boat(M, C), M2 is M1 + M, M2 =< 3, C2 is C1 + C, C2 =< 3,
    legal(M2, C2).

legal(M, C) :-
    ( M =:= 0 ; M >= C ),
    MR is 3 - M, CR is 3 - C,
    ( MR =:= 0 ; MR >= CR ), !.

% ------------------------------------------------------------ depth first

depth_first(Path) :-
    start(S),
    df([S], Reversed),
    reverse(Reversed, Path).

df([S|Rest], [S|Rest]) :- goal(S).
df([S|Rest], Path) :-
    move(S, S1),
    \+ member(S1, [S|Rest]),
    df([S1,S|Rest], Path).

% ---------------------------------------------------------- breadth first

breadth_first(Path) :-
    start(S),
    bf([[S]|Queue]-Queue, [S], Reversed),
    reverse(Reversed, Path).

bf(Queue-Tail, _, _) :- Queue == Tail, !, fail.
bf([[S|Rest]|_]-_, _, [S|Rest]) :- goal(S).
bf([[S|Rest]|Queue]-Tail, Seen, Path) :-
    findall([S1,S|Rest], ( move(S, S1), \+ memberchk(S1, Seen) ), New),
    heads(New, NewStates),
    append(NewStates, Seen, Seen1),
    append(New, Tail1, Tail),
    bf(Queue-Tail1, Seen1, Path).

heads([], []).
heads([[H|_]|Ls], [H|Hs]) :- heads(Ls, Hs).

% ------------------------------------------------------ iterative deepening

deepening(Path, Depth) :-
    start(S),
    between(0, 30, Depth),
    bounded(Depth, S, [S], Reversed), !,
    reverse(Reversed, Path).

bounded(0, S, Path, Path) :- goal(S).
bounded(D, S, Path0, Path) :-
    D > 0,
    move(S, S1),
    \+ memberchk(S1, Path0),
    D1 is D - 1,
    bounded(D1, S1, [S1|Path0], Path).

% ------------------------------------------------------------------- A*
% The agenda is a sorted list of F/G/Path.

best_first(Path, Cost) :-
    start(S),
    h(S, H),
    agenda([H/0/[S]], [], Cost/Reversed),
    reverse(Reversed, Path).

agenda([_/G/[S|Rest]|_], _, G/[S|Rest]) :- goal(S), !.
agenda([_/_/[S|_]|Agenda], Closed, Solution) :-
    memberchk(S, Closed), !,
    agenda(Agenda, Closed, Solution).
agenda([_/G/[S|Rest]|Agenda], Closed, Solution) :-
    G1 is G + 1,
    findall(F1/G1/[S1,S|Rest],
            ( move(S, S1), \+ memberchk(S1, Closed), h(S1, H1), F1 is G1 + H1 ),
            Children),
    insert_all(Children, Agenda, Agenda1),
    agenda(Agenda1, [S|Closed], Solution).

h((M, C, _), H) :- H is (M + C) / 2.

insert_all([], A, A).
insert_all([X|Xs], A0, A) :- insert_one(X, A0, A1), insert_all(Xs, A1, A).

insert_one(X, [], [X]).
insert_one(F/G/P, [F1/G1/P1|A], [F/G/P,F1/G1/P1|A]) :- F < F1, !.
insert_one(X, [Y|A], [Y|A1]) :- insert_one(X, A, A1).

% ------------------------------------------------------------------ the report

show_path([]).
show_path([S|Ss]) :- show(S), show_path(Ss).

show((M, C, Bank)) :-
    MR is 3 - M, CR is 3 - C,
    times(M, 'M'), times(C, 'C'),
    Gap is 6 - M - C, times(Gap, ' '),
    river(Bank),
    times(MR, 'M'), times(CR, 'C'),
    nl.

river(left)  :- write('|B      |').
river(right) :- write('|      B|').

times(0, _) :- !.
times(N, X) :- write(X), N1 is N - 1, times(N1, X).

count_solutions(N) :- findall(P, depth_first(P), Ps), length(Ps, N).

main :-
    best_first(Path, Cost),
    format("~a: ~d crossings~n", ['A*', Cost]),
    show_path(Path),
    breadth_first(P2), !, length(P2, N2), Crossings is N2 - 1,
    format("breadth first: ~d crossings~n", [Crossings]),
    deepening(_, D),
    format("iterative deepening: depth ~d~n", [D]),
    count_solutions(N),
    format("~d solutions without a cycle~n", [N]).

%? main.
%> A*: 11 crossings
%> MMMCCC|B      |
%> MMMC  |      B|CC
%> MMMCC |B      |C
%> MMM   |      B|CCC
%> MMMC  |B      |CC
%> MC    |      B|MMCC
%> MMCC  |B      |MC
%> CC    |      B|MMMC
%> CCC   |B      |MMM
%> C     |      B|MMMCC
%> MC    |B      |MMCC
%>       |      B|MMMCCC
%> breadth first: 11 crossings
%> iterative deepening: depth 11
%> 4 solutions without a cycle
%= true
%? depth_first(_P), !, length(_P, N).
%= N = 12
%? start(S), findall(S1, move(S, S1), L).
%= S = (3,3,left), S1 = _, L = [(3,2,right),(3,1,right),(2,2,right)]
