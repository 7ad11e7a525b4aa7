% A lift takes along all who stand in it: effects that depend on the state, and a number beside the set.
initial_state(lift(1, [at(ann,1), at(bob,2), at(eve,3), wants(ann,3), wants(bob,1), wants(eve,1)])).
final_state(lift(_, S)) :- \+ ( member(wants(X,F), S), \+ member(at(X,F), S) ).
rule(to(F), C, lift(E,S), lift(F,T)) :-
    member(F, [1,2,3]), F \== E, C is abs(F - E),
    findall(at(X,E), member(at(X,E), S), Off),
    findall(at(X,F), member(at(X,E), S), On),
    subtract(S, Off, R), union(On, R, All), sort(All, T).
rule(wait(X), 1, lift(E,S), lift(E,T)) :-
    member(at(X,E), S), E > 1, Down is E - 1,
    ord_subtract(S, [at(X,E)], R), ord_union(R, [at(X,Down)], T).
