% Colour a map; countries in a list of Name=Colour, unbound: not yet coloured.
initial_state([wa=_, nt=_, sa=_, q=_, nsw=_, v=_, t=_]).
final_state(M) :- \+ ( member(_=C, M), var(C) ).

adj(wa,nt). adj(wa,sa). adj(nt,sa). adj(nt,q). adj(sa,q).
adj(sa,nsw). adj(sa,v). adj(q,nsw). adj(nsw,v).

colour(red, 1). colour(green, 1). colour(blue, 2).

rule(N=C, Cost, M1, M2) :-
    append(Done, [N=X|Rest], M1), var(X), !,
    colour(C, Cost),
    \+ ( member(N2=C2, Done), C2 == C, ( adj(N, N2) ; adj(N2, N) ) ),
    append(Done, [N=C|Rest], M2).

heuristic(M, H) :- aggregate_all(count, ( member(_=C, M), var(C) ), H).
