% A group puzzle with sets made by setof and bagof: guests and rooms.
% Nobody sleeps beside one he dislikes.
dislikes(anna, bert). dislikes(carl, anna). dislikes(dora, carl). dislikes(emil, dora).

guest(G) :- member(G, [anna, bert, carl, dora, emil]).

initial_state(hotel([anna-1, bert-2, carl-3, dora-4, emil-5])).

final_state(hotel(L)) :- \+ unhappy(L, _, _).

unhappy(L, A, B) :-
    dislikes(A, B), memberchk(A-I, L), memberchk(B-J, L),
    1 =:= abs(I - J).

rule(swap(A,B), N, hotel(L), hotel(M)) :-
    setof(X-Y, L^two(X, Y, L), Pairs),
    member(A-B, Pairs),
    select(A-I, L, A-J, L1),
    select(B-J, L1, B-I, M),
    ( bagof(Z, unhappy(M, Z, _), Zs) -> length(Zs, N0) ; N0 = 0 ),
    N is N0 + 1.

two(X, Y, L) :- member(X-I, L), member(Y-J, L), guest(X), guest(Y), J is I + 1.

heuristic(hotel(L), H) :- ( setof(A-B, unhappy(L, A, B), S) -> length(S, H) ; H = 0 ).
