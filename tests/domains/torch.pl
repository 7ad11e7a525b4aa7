% Bridge and torch. st(Here, There, Side, Seconds): the time is in the state,
% at most 17 in all, so the same people can be in different states.

minutes(ann, 1).
minutes(bob, 2).
minutes(cyd, 5).
minutes(dan, 10).

initial_state(st([ann,bob,cyd,dan], [], here, 0)).
final_state(st([], _, there, _)).

rule(two(A,B), T, st(H1,T1,here,N1), st(H2,T2,there,N2)) :-
    append(Xs, [A|Ys], H1),
    append(Zs, [B|Ws], Ys),
    append(Zs, Ws, Rest),
    append(Xs, Rest, H2),
    minutes(A, Ta), minutes(B, Tb),
    T is max(Ta, Tb),
    N2 is N1 + T,
    N2 =< 17,
    sort([A,B|T1], T2).
rule(one(A), T, st(H1,T1,there,N1), st(H2,T2,here,N2)) :-
    select(A, T1, T2),
    minutes(A, T),
    N2 is N1 + T,
    N2 =< 17,
    sort([A|H1], H2).

heuristic(st(H,_,_,_), Max) :-
    aggregate_all(max(M), ( member(P, H), minutes(P, M) ), Max), !.
heuristic(_, 0).
