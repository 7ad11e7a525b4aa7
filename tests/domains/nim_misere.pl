% Misere Nim, heaps 2 3 4: who takes the last match loses.
initial_state([2,3,4]).
initial_player(me).
opponent(me, you).
opponent(you, me).

move(_, take(Heap, K), S1, S2) :-
    nth1(Heap, S1, N),
    between(1, N, K),
    replace(S1, Heap, K, S2).

replace([N|Ns], 1, K, [M|Ns]) :- !, M is N - K.
replace([N|Ns], I, K, [N|Ms]) :- J is I - 1, replace(Ns, J, K, Ms).

terminal(_, S) :- sum_list(S, 0).

utility(_, _, 1).

heuristic(_, S, H) :- foldl([X,A,B]>>(B is A xor X), S, 0, X), ( X =:= 0 -> H = -1 ; H = 1 ).
