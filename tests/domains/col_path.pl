% Col on a path of six vertices: no neighbours of the same colour.
initial_state([1-free,2-free,3-free,4-free,5-free,6-free]).
initial_player(red).
opponent(red, blue).
opponent(blue, red).

move(P, V, S1, S2) :-
    append(L, [V-free|R], S1),
    \+ last(L, _-P),
    \+ R = [_-P|_],
    append(L, [V-P|R], S2).

terminal(P, S) :- \+ move(P, _, S, _).
utility(_, _, -1).
heuristic(P, S, H) :- findall(V, move(P, V, S, _), Vs), sort(Vs, Us), length(Us, H).
