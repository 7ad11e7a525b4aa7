% Blocks on one another: what each block is on, in a list in the order of their names.

initial_state([on(a,table), on(b,a), on(c,b), on(d,table)]).

final_state(S) :- memberchk(on(a,b), S), memberchk(on(b,c), S), memberchk(on(c,d), S).

clear(X, S) :- \+ member(on(_,X), S).

rule(move(X,To), 1, S1, S2) :-
    select(on(X,From), S1, Others),
    clear(X, S1),
    target(X, To, S1),
    To \= From,
    sort([on(X,To)|Others], S2).

target(_, table, _).
target(X, Y, S) :- member(on(Y,_), S), Y \= X, clear(Y, S).
