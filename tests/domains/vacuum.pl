% Vacuum world: v(Where, Rooms), rooms are Name-State pairs in a row.
initial_state(v(2, [1-dirty, 2-clean, 3-dirty, 4-dirty, 5-dirty])).
final_state(v(_, Rooms)) :- \+ memberchk(_-dirty, Rooms).

rule(suck, 2, v(P, R1), v(P, R2)) :-
    append(A, [P-dirty|B], R1), !,
    append(A, [P-clean|B], R2).
rule(left, 1, v(P, R), v(Q, R)) :- succ(Q, P), memberchk(Q-_, R).
rule(right, 1, v(P, R), v(Q, R)) :- succ(P, Q), memberchk(Q-_, R).

heuristic(v(_, Rooms), H) :-
    pairs_values(Rooms, Vs),
    partition(==(dirty), Vs, Ds, _),
    length(Ds, N),
    H is 2 * N.
