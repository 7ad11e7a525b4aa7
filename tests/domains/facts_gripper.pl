% A robot with two hands carries balls to another room: the state is the ordered set of the facts that hold.
initial_state([at(b1,kitchen), at(b2,kitchen), at(b3,hall), free(left), free(right), robot(hall)]).
final_state(S) :- forall(member(X, [b1,b2,b3]), memberchk(at(X,hall), S)).

door(kitchen, hall). door(hall, cellar).
next(A, B) :- door(A, B).
next(A, B) :- door(B, A).
hand(left). hand(right).

rule(go(A,B), C, S, T) :-
    memberchk(robot(A), S), next(A, B),
    ( member(holds(_,_), S) -> C = 2 ; C = 1 ),
    change(S, [robot(A)], [robot(B)], T).
rule(pick(X,H), 1, S, T) :-
    member(robot(A), S), member(at(X,A), S), hand(H), memberchk(free(H), S),
    change(S, [at(X,A), free(H)], [holds(H,X)], T).
rule(drop(X), 1, S, T) :-
    member(holds(H,X), S), member(robot(A), S), \+ ( member(at(Y,A), S), Y @> X ),
    change(S, [holds(H,X)], [at(X,A), free(H)], T).

change(S, Off, On, T) :- subtract(S, Off, R), append(On, R, All), sort(All, T).
