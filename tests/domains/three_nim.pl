% Nim for three players: who takes the last match gets 2, the one before him 1.
initial_state(heap(11, none, none)).
initial_player(a).
opponent(a, b).
opponent(b, c).
opponent(c, a).

move(J, K, heap(N, Last, _), heap(M, J, Last)) :-
    between(1, 3, K),
    M is N - K,
    M >= 0.

terminal(_, heap(0, _, _)).

utility(J, heap(0, J, _), 2) :- !.
utility(J, heap(0, _, J), 1) :- !.
utility(_, _, 0).

heuristic(J, S, H) :- utility(J, S, H).
