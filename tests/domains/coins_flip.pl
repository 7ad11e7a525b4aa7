% Seven coins in a row; turn any three neighbours until all show heads.
initial_state([h,t,t,h,t,h,t]).
final_state(S) :- forall(member(C, S), C == h).

rule(at(I), 1, S, T) :- three(S, T, 1, I).

three([A,B,C|R], [X,Y,Z|R], I, I) :- opp(A,X), opp(B,Y), opp(C,Z).
three([A|R], [A|Q], I0, I) :- I1 is I0+1, three(R, Q, I1, I).

opp(h,t).
opp(t,h).

heuristic(S, H) :-
    findall(T, (member(T,S), T = t), Ts), length(Ts, N),
    H is ceiling(N/3).
