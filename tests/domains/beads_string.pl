% A string of beads, as a string; neighbours a and b may change places,
% and two equal ones in front go away. How to get rid of all of them?
initial_state("abcabac").
final_state("").

rule(swap(I), 2, S, T) :-
    sub_string(S, I, 2, _, P),
    ( P = "ab" -> Q = "ba" ; P = "bc" -> Q = "cb" ; P = "ca", Q = "ac" ),
    J is I + 2,
    sub_string(S, 0, I, _, L),
    sub_string(S, J, _, 0, R),
    string_concat(L, Q, LQ),
    string_concat(LQ, R, T).
rule(drop, 1, S, T) :-
    string_chars(S, [X,X|Cs]),
    string_chars(T, Cs).
rule(last, 5, S, T) :-
    string_concat(T, Last, S),
    string_length(Last, 1).

heuristic(S, H) :- string_length(S, N), H is N / 2.
