% Measure nine minutes with glasses of four and seven.
% glass(Top4, Top7, Time): the sand on top, and the minutes gone by.
initial_state(glass(0, 0, 0)).
final_state(glass(_, _, 9)).

rule(Turns, Dt, glass(A, B, T), glass(A2, B2, T2)) :-
    turn(A, B, Turns, A1, B1),
    wait(A1, B1, Dt),
    T2 is T + Dt, T2 =< 20,
    A2 is max(0, A1 - Dt),
    B2 is max(0, B1 - Dt).

turn(A, B, [], A, B).
turn(A, B, [four], A1, B) :- A1 is 4 - A.
turn(A, B, [seven], A, B1) :- B1 is 7 - B.
turn(A, B, [four,seven], A1, B1) :- A1 is 4 - A, B1 is 7 - B.

wait(0, B, B) :- !, B > 0.
wait(A, 0, A) :- !.
wait(A, B, D) :- D is min(A, B).

heuristic(glass(_,_,T), H) :- H is max(0, 9 - T).
