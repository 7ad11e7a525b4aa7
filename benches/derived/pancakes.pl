% Pancakes: turn over so many from the top, until they lie in order of size.

initial_state(p14, [3,4,13,11,14,2,7,8,1,9,6,12,5,10]).
initial_state(p16, [7,15,2,14,1,12,8,10,3,13,11,9,4,16,5,6]).
initial_state(p18, [13,18,11,9,7,14,5,6,8,17,16,4,10,3,12,2,15,1]).
initial_state(p20, [7,13,19,18,2,5,10,17,4,6,8,16,11,1,3,14,15,9,12,20]).

final_state([1,2,3,4,5,6,7,8,9,10,11,12,13,14]).
final_state([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]).
final_state([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]).
final_state([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]).

rule(flip(N), 1, S1, S2) :-
    length(S1, L), between(2, L, N),
    length(Prefix, N),
    append(Prefix, Rest, S1),
    reverse(Prefix, Flipped),
    append(Flipped, Rest, S2).
