% Kalah (W. J. Champion, 1940), a game of the Mancala family.
%
% Each player has a row of holes with seeds and a store on its right.  Who is to move takes
% all the seeds of one of his holes and sows them one by one to the right: into his
% other holes, his store, the holes of the opponent, and round again, but never into
% the opponent's store.
%
%     The last seed falls into his store: he moves again.
%     The last seed falls into an empty hole of his, and seeds lie opposite: that seed and
%     those seeds go to his store.
%
% When all the holes of a player are empty, the seeds of the other one go to his own store,
% and the game is over.  The worth of its end is the difference of the stores.
%
% A state is kalah(J, Holes, Store, Others, OthersStore): J is to move, Holes are his, from
% left to right as he sits there, and Others those of the opponent, as the
% opponent sits there.  A move is the number of a hole.
%
% Instances, and their worth with best play for south, who begins:
%
%     tiny    3 holes with 2 seeds      4
%     small   4 holes with 3 seeds      6
%     six     6 holes with 4 seeds      won (G. Irving, J. Donkers, J. Uiterwijk, 2000)
%
% Things to try: other numbers of holes and seeds; play without capturing, or without
% moving again, and see what that is worth to the first player.

initial_state(tiny,  kalah(south, [2,2,2], 0, [2,2,2], 0)).
initial_state(small, kalah(south, [3,3,3,3], 0, [3,3,3,3], 0)).
initial_state(six,   kalah(south, [4,4,4,4,4,4], 0, [4,4,4,4,4,4], 0)).

initial_player(south).

opponent(south, north).
opponent(north, south).

to_move(kalah(J, _, _, _, _), J).

move(J, Hole, kalah(J, Holes, Store, Others, OthersStore), S2) :-
    nth1(Hole, Holes, Seeds),
    Seeds > 0,
    length(Holes, N),
    append(Holes, [Store|Others], Ring1),
    set(Hole, Ring1, 0, Ring2),
    next_place(Hole, N, First),
    sow(Seeds, First, N, Ring2, Ring3, Last),
    capture(Last, N, Ring3, Ring4),
    length(Holes2, N),
    append(Holes2, [Store2|Others2], Ring4),
    finish(Holes2, Store2, Others2, OthersStore, S3),
    turn(Last, N, J, S3, S2).

% The ring: places 1 to N are the holes of who moves, the next one is his store,
% and N more are the holes of the opponent.
next_place(Place, N, 1) :-
    Place =:= 2 * N + 1, !.
next_place(Place, _, Next) :-
    Next is Place + 1.

% sow(Seeds, Place, N, Ring1, Ring2, Last): Seeds go into Ring1 one by one, the first one
% to Place and the last one to Last.
sow(1, Place, _, Ring1, Ring2, Place) :- !,
    add(Place, Ring1, 1, Ring2).
sow(Seeds, Place, N, Ring1, Ring3, Last) :-
    add(Place, Ring1, 1, Ring2),
    next_place(Place, N, Next),
    Rest is Seeds - 1,
    sow(Rest, Next, N, Ring2, Ring3, Last).

capture(Last, N, Ring1, Ring4) :-
    Last =< N,
    nth1(Last, Ring1, 1),
    Opposite is 2 * N + 2 - Last,
    nth1(Opposite, Ring1, Seeds),
    Seeds > 0, !,
    Store is N + 1,
    Won is Seeds + 1,
    set(Last, Ring1, 0, Ring2),
    set(Opposite, Ring2, 0, Ring3),
    add(Store, Ring3, Won, Ring4).
capture(_, _, Ring, Ring).

% Where one row is empty, the other one goes to the store of its owner.
finish(Holes, Store, Others, OthersStore, end(Empty, Store2, Empty, OthersStore2)) :-
    sum_list(Holes, Own),
    sum_list(Others, Their),
    ( Own =:= 0 ; Their =:= 0 ), !,
    Store2 is Store + Own,
    OthersStore2 is OthersStore + Their,
    length(Holes, N),
    length(Empty, N),
    maplist(=(0), Empty).
finish(Holes, Store, Others, OthersStore, end(Holes, Store, Others, OthersStore)).

% Who moves next: J again if the last seed fell into his store.
turn(Last, N, J, end(Hs, S, Os, T), kalah(J, Hs, S, Os, T)) :-
    Last =:= N + 1, !.
turn(_, _, J, end(Hs, S, Os, T), kalah(A, Os, T, Hs, S)) :-
    opponent(J, A).

% set(I, Xs, X, Ys): Ys is Xs with X in place I.
set(1, [_|Xs], X, [X|Xs]) :- !.
set(I, [Y|Xs], X, [Y|Ys]) :-
    J is I - 1,
    set(J, Xs, X, Ys).

% add(I, Xs, N, Ys): Ys is Xs with N more in place I.
add(I, Xs, N, Ys) :-
    nth1(I, Xs, X),
    Y is X + N,
    set(I, Xs, Y, Ys).

terminal(_, kalah(_, Holes, _, Others, _)) :-
    sum_list(Holes, 0),
    sum_list(Others, 0).

utility(J, kalah(A, _, Store, _, OthersStore), U) :-
    (   J == A
    ->  U is Store - OthersStore
    ;   U is OthersStore - Store
    ).

heuristic(J, S, H) :- utility(J, S, H).

% The holes of north lie above, from right to left.
print_state(kalah(south, Holes, Store, Others, OthersStore)) :-
    print_board(Holes, Store, Others, OthersStore).
print_state(kalah(north, Holes, Store, Others, OthersStore)) :-
    print_board(Others, OthersStore, Holes, Store).

print_board(South, SouthStore, North, NorthStore) :-
    reverse(North, Above),
    write('   '), print_holes(Above), nl,
    length(South, N),
    Width is 3 * N + 1,
    format("~|~t~d~2+~t~d~*+~n", [NorthStore,SouthStore,Width]),
    write('   '), print_holes(South), nl.

print_holes(Holes) :-
    forall(member(Seeds, Holes), format("~|~t~d~2+ ", [Seeds])).
