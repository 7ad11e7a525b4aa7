% Pancake sorting, six of them.
initial_state([4,6,2,5,1,3]).
final_state(S) :- msort(S, S).

rule(flip(N), 1, S1, S2) :-
    length(S1, Len),
    between(2, Len, N),
    length(Top, N),
    append(Top, Rest, S1),
    reverse(Top, Top2),
    append(Top2, Rest, S2).

% the gap heuristic
heuristic(S, H) :- append(S, [7], L), gaps(L, 0, H).

gaps([_], H, H) :- !.
gaps([A,B|T], H0, H) :-
    (   abs(A-B) > 1
    ->  H1 is H0 + 1
    ;   H1 = H0
    ),
    gaps([B|T], H1, H).
