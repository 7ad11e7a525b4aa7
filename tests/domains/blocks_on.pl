% Blocks world with facts on(Block, Place), kept as an ordered set.

block(a). block(b). block(c). block(d).

initial_state([on(a,b), on(b,table), on(c,d), on(d,table)]).

final_state(S) :-
    subset([on(d,c), on(c,b), on(b,a)], S).

clear(table, _).
clear(X, S) :- block(X), \+ member(on(_,X), S).

rule(move(X,Y,Z), 1, S1, S2) :-
    member(on(X,Y), S1),
    clear(X, S1),
    clear(Z, S1),
    Z \== X, Z \== Y,
    delete(S1, on(X,Y), S),
    sort([on(X,Z)|S], S2).

heuristic(S, H) :-
    final(Goals),
    include(missing(S), Goals, Missing),
    length(Missing, H).

final([on(d,c), on(c,b), on(b,a)]).

missing(S, Fact) :- \+ memberchk(Fact, S).
