% Steps on ice: on thin ice an exception is thrown, after the first answers.
initial_state(ice(0, [thick,thin,thick,thick,thin])).
final_state(ice(5, _)).

rule(step(D), 1, ice(X, L), ice(Y, L)) :-
    member(D, [1,2]),
    Y is X + D,
    Y =< 5,
    strength(Y, L).
rule(fix, 3, ice(X, L), ice(X, M)) :-
    Y is X + 1,
    nth1(Y, L, thin),
    append(A, [thin|B], L), length(A, X), !,
    append(A, [thick|B], M).

strength(5, _) :- !.
strength(Y, L) :- nth0(Y, L, S), ( S == thin -> throw(error(broken(Y), ice)) ; true ).

heuristic(ice(X, _), H) :- H is (5 - X + 1) // 2.
