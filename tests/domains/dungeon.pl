% Rooms, doors and keys; what one has and where one is in an assoc.
:- use_module(library(assoc)).

door(hall, kitchen, none).
door(hall, cellar, iron).
door(kitchen, garden, none).
door(garden, shed, brass).
door(cellar, vault, gold).
door(shed, hall, none).

lies(brass, kitchen).
lies(iron, shed).
lies(gold, cellar).

initial_state(S) :-
    findall(K-R, lies(K, R), Keys),
    list_to_assoc([me-hall|Keys], S).

final_state(S) :- get_assoc(me, S, vault).

rule(go(B), 1, S, T) :-
    get_assoc(me, S, A),
    ( door(A, B, K) ; door(B, A, K) ),
    ( K == none -> true ; get_assoc(K, S, me) ),
    put_assoc(me, S, B, T).
rule(take(K), 1, S, T) :-
    get_assoc(me, S, R),
    lies(K, _),
    get_assoc(K, S, R),
    put_assoc(K, S, me, T).
rule(drop(K), 1, S, T) :-
    get_assoc(me, S, R),
    assoc_to_list(S, L),
    member(K-me, L),
    put_assoc(K, S, R, T).

heuristic(S, H) :-
    assoc_to_values(S, Vs),
    exclude(==(me), Vs, Others),
    length(Others, N),
    H is N - 3,
    H >= 0, !.
heuristic(_, 0).
