% Nim as a game of moves alone: who cannot move has lost. Heaps are kept
% sorted, empty ones go away; only distinct moves are made.
initial_state([1,3,4,5]).

move(N-M, S1, S2) :-
    list_to_set(S1, Ns),
    member(N, Ns),
    once(select(N, S1, Rest)),
    N1 is N - 1,
    between(0, N1, M),
    (   M =:= 0
    ->  S2 = Rest
    ;   msort([M|Rest], S2)
    ).
