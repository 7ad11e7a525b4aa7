% Lights out: the state is the ordered set of the lamps that are on, R/C.
size(3).

initial_state([1/1, 1/3, 2/2, 3/1, 3/2]).
final_state([]).

lamp(R/C) :- size(N), between(1, N, R), between(1, N, C).

rule(press(P), 1, On1, On2) :-
    lamp(P),
    cross(P, Cross),
    ord_symdiff(On1, Cross, On2).

% the lamp and its neighbours, as an ordered set
cross(R/C, Cross) :-
    U is R - 1, D is R + 1, L is C - 1, W is C + 1,
    include(lamp, [U/C, R/L, R/C, R/W, D/C], Lamps),
    list_to_ord_set(Lamps, Cross).

heuristic(On, H) :- length(On, N), H is (N + 4) // 5.
