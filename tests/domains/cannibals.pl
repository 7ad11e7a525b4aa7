% 3 missionaries, 3 cannibals: mc(M on the left, C on the left, boat)

initial_state(mc(3,3,left)).
final_state(mc(0,0,right)).

boat(2,0).
boat(0,2).
boat(1,1).
boat(1,0).
boat(0,1).

rule(cross(M,C,right), 1, mc(M1,C1,left), mc(M2,C2,right)) :-
	boat(M,C),
	M2 is M1-M, C2 is C1-C,
	legal(M2,C2).
rule(cross(M,C,left), 1, mc(M1,C1,right), mc(M2,C2,left)) :-
	boat(M,C),
	M2 is M1+M, C2 is C1+C,
	legal(M2,C2).

legal(M,C) :-
	between(0,3,M), between(0,3,C),
	( M >= C ; M =:= 0 ),
	Mr is 3-M, Cr is 3-C,
	( Mr >= Cr ; Mr =:= 0 ).

heuristic(mc(M,C,_), H) :- H is (M+C)/2.
