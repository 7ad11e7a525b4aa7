% Legality by exceptions: a step that leaves the ring throws.
initial_state(ring(0, 3)).
final_state(ring(7, 0)).

rule(Step, 1, S1, S2) :-
    member(Step, [1, 2, -3]),
    catch(go(Step, S1, S2), off(_), fail).

go(Step, ring(X, Lives), ring(Y, Lives2)) :-
    Y0 is X + Step,
    check(Y0, Lives, Lives1),
    ( Y0 =:= 5 -> Y is Y0 - 4, Lives2 is max(0, Lives1 - 1) ; Y = Y0, Lives2 = Lives1 ).

check(Y, _, _) :- Y > 8, throw(off(Y)).
check(Y, L, M) :- Y < 0, !, ( L > 0 -> M is L - 1 ; throw(off(Y)) ).
check(_, L, L).

heuristic(ring(X, L), H) :- catch(( X =< 7, H is L + X * 0 ), _, H = 0), !.
heuristic(_, 0).
