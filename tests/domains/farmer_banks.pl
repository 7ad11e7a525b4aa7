% wolf, goat, cabbage with two banks as sets (sorted lists)
% state: Left + Right, the farmer f is a member like all others

initial_state([cabbage,farmer,goat,wolf] + []).

final_state([] + _).

rule(row(Who), 1, L1+R1, L2+R2) :-
    memberchk(farmer, L1), !,
    ferry(L1, R1, Who, L2, R2).
rule(row(Who), 1, L1+R1, L2+R2) :-
    ferry(R1, L1, Who, R2, L2).

ferry(From, To, Load, From2, To2) :-
    ( Load = [farmer] ; member(X, From), X \= farmer, Load = [farmer,X] ),
    subtract(From, Load, From2),
    append(To, Load, To1),
    sort(To1, To2),
    peaceful(From2).

peaceful(Bank) :- \+ ( eats(A, B), member(A, Bank), member(B, Bank) ).

eats(wolf, goat).
eats(goat, cabbage).

heuristic(L+_, H) :- length(L, N), H is max(0, N - 1).
