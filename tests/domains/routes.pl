% From Basel to Zagreb with a small tank. trip(City, Fuel).
% Refuelling costs more where petrol is dear.

road(basel, zurich, 3).
road(basel, bern, 4).
road(zurich, innsbruck, 7).
road(bern, milan, 9).
road(zurich, milan, 7).
road(innsbruck, graz, 9).
road(innsbruck, venice, 8).
road(milan, venice, 6).
road(venice, ljubljana, 5).
road(graz, zagreb, 4).
road(ljubljana, zagreb, 3).

link(A, B, D) :- road(A, B, D).
link(A, B, D) :- road(B, A, D).

price(zurich, 6).
price(bern, 7).
price(milan, 5).
price(innsbruck, 4).
price(venice, 5).
price(graz, 3).

tank(10).

initial_state(trip(basel, 5)).
final_state(trip(zagreb, _)).

rule(drive(B), D, trip(A, F), trip(B, G)) :-
    link(A, B, D),
    F >= D,
    G is F - D.
rule(refuel, Cost, trip(A, F), trip(A, Tank)) :-
    price(A, P),
    tank(Tank),
    F < Tank,
    Cost is P * (Tank - F).

heuristic(trip(zagreb, _), 0) :- !.
heuristic(trip(City, _), H) :-
    findall(D, link(City, _, D), Ds),
    min_list(Ds, H).
