% A closed knight's tour of a board of N by N, as a circuit.
:- use_module(library(clpfd)).

tour(N, Ts) :-
    length(Ts, N),
    maplist(same_length(Ts), Ts),
    append(Ts, Vs),
    successors(Vs, N, 1),
    circuit(Vs).

successors([], _, _).
successors([V|Vs], N, K0) :-
    findall(Num, n_k_next(N, K0, Num), [Next|Nexts]),
    foldl([X,D0,D0 \/ X]>>true, Nexts, Next, Domain),
    V in Domain,
    K1 is K0 + 1,
    successors(Vs, N, K1).

n_k_next(N, K, Next) :-
    X is (K - 1) mod N + 1,
    Y is (K - 1) // N + 1,
    member(DX-DY, [1-2, 2-1, -1-2, -2-1, 1-(-2), 2-(-1), -1-(-2), -2-(-1)]),
    X1 is X + DX, X1 >= 1, X1 =< N,
    Y1 is Y + DY, Y1 >= 1, Y1 =< N,
    Next is (Y1 - 1) * N + X1.

main :-
    forall(member(N, [6,8,8,10,10]), ( tour(N, Ts), append(Ts, Vs), once(labeling([ff], Vs)) )),
    tour(8, Tour),
    append(Tour, Ws),
    labeling([ff], Ws),
    print(Tour), nl.
