% Give jobs to workers, one at a time; an accumulator keeps the time of each.
job(j1, 3). job(j2, 5). job(j3, 2). job(j4, 4). job(j5, 1).

initial_state(plan(Jobs, [ann-0, bob-0, cid-0])) :- findall(J, job(J,_), Jobs).
final_state(plan([], _)).

rule(give(J,W), Cost, plan([J|Js], Loads), plan(Js, NewLoads)) :-
    job(J, T),
    makespan(Loads, M1),
    append(A, [W-L|B], Loads),
    L1 is L + T,
    append(A, [W-L1|B], NewLoads),
    makespan(NewLoads, M2),
    Cost is M2 - M1.
rule(skip, 9, plan([_|Js], Loads), plan(Js, Loads)).

makespan(Loads, M) :- aggregate_all(max(L), member(_-L, Loads), M).

heuristic(plan(Js, Loads), H) :-
    foldl([J,A,B]>>( job(J,T), B is A + T ), Js, 0, Todo),
    sumlist_loads(Loads, 0, Done),
    makespan(Loads, M),
    H is max(0, ceiling((Todo + Done) / 3) - M).

sumlist_loads([], S, S).
sumlist_loads([_-L|Ls], S0, S) :- S1 is S0 + L, sumlist_loads(Ls, S1, S).
