% Doublets with letters in a list and a small dictionary.
dict([c,a,t]). dict([c,o,t]). dict([c,o,g]). dict([d,o,g]). dict([d,o,t]).
dict([b,a,t]). dict([b,a,d]). dict([b,a,g]). dict([b,o,g]). dict([l,o,g]).
dict([l,e,g]). dict([b,e,g]). dict([b,e,d]). dict([l,e,t]). dict([p,e,t]).
dict([p,o,t]). dict([p,a,t]). dict([h,a,t]). dict([h,o,t]). dict([r,a,t]).
dict([r,o,t]). dict([d,i,g]). dict([b,i,g]). dict([p,i,g]). dict([p,i,t]).

initial_state([r,a,t]).
final_state([p,i,g]).

rule(Word, 1, W1, W2) :-
    append(L, [Old|R], W1),
    append(L, [New|R], W2),
    dict(W2),
    Old \== New,
    atom_chars(Word, W2).

heuristic(W, H) :-
    final_state(G),
    maplist([A,B,D]>>( A == B -> D = 0 ; D = 1 ), W, G, Ds),
    sumlist(Ds, H).
