% Tiny mancala: two pits a side, two seeds in each, and a store for each player.
% m(NorthPits, NorthStore, SouthPits, SouthStore); sowing passes one's own store.
initial_state(m([2,2], 0, [2,2], 0)).
initial_player(south).
opponent(south, north).
opponent(north, south).

move(J, pit(I), S1, S2) :-
    view(J, S1, Own, Store, Their, TheirStore),
    nth0(I, Own, N), N > 0,
    set0(I, Own, 0, Own0),
    I1 is I + 1,
    append(Own0, [Store|Their], Ring),
    sow(N, I1, Ring, Ring2),
    append([A,B], [Store2|Their2], Ring2),
    view(J, S2, [A,B], Store2, Their2, TheirStore).

view(south, m(N,NS,S,SS), S, SS, N, NS).
view(north, m(N,NS,S,SS), N, NS, S, SS).

set0(0, [_|T], X, [X|T]) :- !.
set0(I, [H|T], X, [H|U]) :- J is I - 1, set0(J, T, X, U).

sow(0, _, R, R) :- !.
sow(N, I, R1, R3) :-
    K is I mod 5,
    nth0(K, R1, X), Y is X + 1, set0(K, R1, Y, R2),
    M is N - 1, J is K + 1,
    sow(M, J, R2, R3).

terminal(J, S) :- view(J, S, Own, _, _, _), sum_list(Own, 0), !.

utility(J, S, U) :-
    view(J, S, _, Mine, Their, Theirs),
    sum_list(Their, Rest),
    U is Mine - Theirs - Rest.

heuristic(J, S, H) :- view(J, S, _, Mine, _, Theirs), H is Mine - Theirs.
