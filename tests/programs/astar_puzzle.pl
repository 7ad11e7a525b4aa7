% The eight-puzzle by A*, as handed in for a course: the open list is a heap kept
% as a leftist tree, the closed list an AVL tree, all of it written by hand.
% Run main/0.

:- dynamic(goal_place/3).

% ---------------------------------------------------------------- the puzzle

goal(s(1,2,3,8,0,4,7,6,5)).

start(easy,   s(1,3,4,8,6,2,7,0,5)).
start(medium, s(2,8,1,0,4,3,7,6,5)).
start(hard,   s(2,8,1,4,6,3,0,7,5)).
start(worst,  s(5,6,7,4,0,8,3,2,1)).

% Where the tiles belong, filled in before a search.
prepare :-
    retractall(goal_place(_, _, _)),
    goal(G),
    G =.. [_|Tiles],
    note_places(Tiles, 0).

note_places([], _).
note_places([T|Ts], I) :-
    Row is I // 3,
    Col is I mod 3,
    assertz(goal_place(T, Row, Col)),
    I1 is I + 1,
    note_places(Ts, I1).

% The blank is at I and moves to J.
neighbour(I, J, up)    :- I >= 3, J is I - 3.
neighbour(I, J, down)  :- I =< 5, J is I + 3.
neighbour(I, J, left)  :- I mod 3 > 0, J is I - 1.
neighbour(I, J, right) :- I mod 3 < 2, J is I + 1.

move(S1, Name, S2) :-
    S1 =.. [s|L1],
    nth0(I, L1, 0), !,
    neighbour(I, J, Name),
    nth0(J, L1, T),
    swap(L1, T, L2),
    S2 =.. [s|L2].

swap([], _, []).
swap([0|Xs], T, [T|Ys]) :- !, swap(Xs, T, Ys).
swap([T|Xs], T, [0|Ys]) :- !, swap(Xs, T, Ys).
swap([X|Xs], T, [X|Ys]) :- swap(Xs, T, Ys).

manhattan(S, H) :-
    S =.. [_|Tiles],
    distance(Tiles, 0, 0, H).

distance([], _, H, H).
distance([T|Ts], I, H0, H) :-
    (   T =:= 0
    ->  H1 = H0
    ;   goal_place(T, R, C),
        H1 is H0 + abs(R - I // 3) + abs(C - I mod 3)
    ),
    I1 is I + 1,
    distance(Ts, I1, H1, H).

% -------------------------------------------- priority queue: a leftist tree
% nil or h(Rank, Key, Value, Left, Right)

q_empty(nil).

q_insert(K, V, Q0, Q) :- q_merge(h(1, K, V, nil, nil), Q0, Q).

q_delete(h(_, K, V, L, R), K, V, Q) :- q_merge(L, R, Q).

q_merge(nil, Q, Q) :- !.
q_merge(Q, nil, Q) :- !.
q_merge(A, B, Q) :-
    A = h(_, KA, VA, LA, RA),
    B = h(_, KB, VB, LB, RB),
    (   KA @=< KB
    ->  q_merge(RA, B, R),
        q_node(KA, VA, LA, R, Q)
    ;   q_merge(A, RB, R),
        q_node(KB, VB, LB, R, Q)
    ).

q_node(K, V, A, B, h(N, K, V, L, R)) :-
    q_rank(A, NA),
    q_rank(B, NB),
    (   NA >= NB
    ->  L = A, R = B, N is NB + 1
    ;   L = B, R = A, N is NA + 1
    ).

q_rank(nil, 0).
q_rank(h(N, _, _, _, _), N).

% ------------------------------------------------------- dictionary: an AVL tree
% t or t(Key, Value, Balance, Left, Right), Balance one of <, -, >

avl_get(K, t(K1, V1, _, L, R), V) :-
    compare(O, K, K1),
    avl_get(O, K, V1, L, R, V).

avl_get(=, _, V, _, _, V).
avl_get(<, K, _, L, _, V) :- avl_get(K, L, V).
avl_get(>, K, _, _, R, V) :- avl_get(K, R, V).

avl_put(K, V, T0, T) :- avl_put(T0, K, V, T, _).

avl_put(t, K, V, t(K, V, -, t, t), yes).
avl_put(t(K1, V1, B, L, R), K, V, T, Up) :-
    compare(O, K, K1),
    avl_put(O, K, V, K1, V1, B, L, R, T, Up).

avl_put(=, K, V, _, _, B, L, R, t(K, V, B, L, R), no).
avl_put(<, K, V, K1, V1, B, L, R, T, Up) :-
    avl_put(L, K, V, L1, LUp),
    left_up(LUp, B, K1, V1, L1, R, T, Up).
avl_put(>, K, V, K1, V1, B, L, R, T, Up) :-
    avl_put(R, K, V, R1, RUp),
    right_up(RUp, B, K1, V1, L, R1, T, Up).

left_up(no, B, K, V, L, R, t(K, V, B, L, R), no).
left_up(yes, -, K, V, L, R, t(K, V, <, L, R), yes).
left_up(yes, >, K, V, L, R, t(K, V, -, L, R), no).
left_up(yes, <, K, V, t(K1, V1, <, A, B), C, t(K1, V1, -, A, t(K, V, -, B, C)), no).
left_up(yes, <, K, V, t(K1, V1, >, A, t(K2, V2, B2, B, C)), D,
        t(K2, V2, -, t(K1, V1, BL, A, B), t(K, V, BR, C, D)), no) :-
    after(B2, BL, BR).

right_up(no, B, K, V, L, R, t(K, V, B, L, R), no).
right_up(yes, -, K, V, L, R, t(K, V, >, L, R), yes).
right_up(yes, <, K, V, L, R, t(K, V, -, L, R), no).
right_up(yes, >, K, V, A, t(K1, V1, >, B, C), t(K1, V1, -, t(K, V, -, A, B), C), no).
right_up(yes, >, K, V, A, t(K1, V1, <, t(K2, V2, B2, B, C), D),
         t(K2, V2, -, t(K, V, BL, A, B), t(K1, V1, BR, C, D)), no) :-
    after(B2, BL, BR).

after(<, -, >).
after(-, -, -).
after(>, <, -).

% ---------------------------------------------------------------- the search
% In the queue: key F-MinusG, value node(State, G).  In the closed tree: for a
% state its depth, the move that led to it, and the state before.

astar(Start, Moves, Expanded) :-
    prepare,
    manhattan(Start, H),
    q_empty(Q0),
    q_insert(H-0, node(Start, 0, none, none), Q0, Q),
    search(Q, t, 0, Expanded, End, Closed),
    path(End, Closed, [], Moves).

search(Q0, Closed0, N0, N, End, Closed) :-
    q_delete(Q0, _, node(S, G, Move, From), Q1),
    (   goal(S)
    ->  End = S,
        N = N0,
        avl_put(S, seen(G, Move, From), Closed0, Closed)
    ;   avl_get(S, Closed0, seen(G0, _, _)),
        G0 =< G
    ->  search(Q1, Closed0, N0, N, End, Closed)
    ;   avl_put(S, seen(G, Move, From), Closed0, Closed1),
        N1 is N0 + 1,
        G1 is G + 1,
        findall(S1-Name, move(S, Name, S1), Successors),
        push(Successors, S, G1, Closed1, Q1, Q2),
        search(Q2, Closed1, N1, N, End, Closed)
    ).

push([], _, _, _, Q, Q).
push([S-Name|Ss], From, G, Closed, Q0, Q) :-
    (   avl_get(S, Closed, seen(G0, _, _)),
        G0 =< G
    ->  Q1 = Q0
    ;   manhattan(S, H),
        F is G + H,
        MinusG is -G,
        q_insert(F-MinusG, node(S, G, Name, From), Q0, Q1)
    ),
    push(Ss, From, G, Closed, Q1, Q).

path(S, Closed, Moves0, Moves) :-
    avl_get(S, Closed, seen(_, Name, From)),
    (   From == none
    ->  Moves = Moves0
    ;   path(From, Closed, [Name|Moves0], Moves)
    ).

% ---------------------------------------------------------------- the report

show(s(A,B,C,D,E,F,G,H,I)) :-
    show_row([A,B,C]), show_row([D,E,F]), show_row([G,H,I]).

show_row(Row) :-
    forall(member(T, Row), ( T =:= 0 -> write('  ') ; format("~w ", [T]) )),
    nl.

main :-
    forall(start(Name, S), report(Name, S)).

report(Name, S) :-
    format("~w:~n", [Name]),
    show(S),
    astar(S, Moves, _),
    length(Moves, N),
    check(S, Moves),
    format("~d moves~n", [N]).

check(S, []) :- goal(S).
check(S, [M|Ms]) :- move(S, M, S1), check(S1, Ms).

%? main.
%> easy:
%> 1 3 4 
%> 8 6 2 
%> 7   5 
%> 5 moves
%> medium:
%> 2 8 1 
%>   4 3 
%> 7 6 5 
%> 9 moves
%> hard:
%> 2 8 1 
%> 4 6 3 
%>   7 5 
%> 12 moves
%> worst:
%> 5 6 7 
%> 4   8 
%> 3 2 1 
%> 30 moves
%= true
%? start(easy, S), astar(S, Moves, _).
%= S = s(1,3,4,8,6,2,7,0,5), Moves = [up,right,up,left,down]
%? start(worst, _S), astar(_S, _Ms, _), length(_Ms, N).
%= N = 30
