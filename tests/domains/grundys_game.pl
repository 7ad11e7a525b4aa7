% Grundy's game: split a heap into two unequal ones.
initial_state([9]).

move(N = A + B, S1, S2) :-
    select(N, S1, Rest),
    H is (N - 1) // 2,
    between(1, H, A),
    B is N - A,
    msort([A,B|Rest], S2).

terminal(S) :- forall(member(N, S), N =< 2).
utility(_, -1).
