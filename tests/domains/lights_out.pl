% Lights out on 3 x 3. Pressing a lamp toggles it and its neighbours.
initial_state([1,0,1, 0,1,0, 1,1,0]).
final_state(S) :- \+ member(1, S).

rule(press(I), 1, S1, S2) :-
    between(0, 8, I),
    findall(V, ( nth0(J, S1, L), toggled(I, J, L, V) ), S2).

toggled(I, J, L, V) :- touches(I, J), !, V is 1 - L.
toggled(_, _, L, L).

touches(I, I).
touches(I, J) :- J =:= I + 3 ; J =:= I - 3.
touches(I, J) :- I // 3 =:= J // 3, abs(I - J) =:= 1.

% each press changes five lamps at most
heuristic(S, H) :- sum_list(S, N), H is (N + 4) // 5.
