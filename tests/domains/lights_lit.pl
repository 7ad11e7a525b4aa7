% Lights out on 3 x 3: the state is the ordered set of the lamps that are on.

lamp(X-Y) :- between(1, 3, X), between(1, 3, Y).

near(P, P).
near(X-Y, X1-Y) :- X1 is X - 1.
near(X-Y, X1-Y) :- X1 is X + 1.
near(X-Y, X-Y1) :- Y1 is Y - 1.
near(X-Y, X-Y1) :- Y1 is Y + 1.

initial_state([1-1, 1-3, 2-2, 3-1, 3-3]).
final_state([]).

rule(press(P), 1, On, New) :-
    lamp(P),
    findall(Q, ( near(P, Q), lamp(Q) ), Qs),
    sort(Qs, Switched),
    ord_symdiff(On, Switched, New).

heuristic(On, H) :- length(On, N), H is (N + 4) // 5.
