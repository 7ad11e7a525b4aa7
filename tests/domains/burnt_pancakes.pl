% Burnt pancakes: a negative number lies burnt side up.
initial_state([-2,3,-1,4]).
final_state([1,2,3,4]).

rule(flip(N), N, Stack, New) :-
    append([P|Ps], Rest, Stack),
    length([P|Ps], N),
    turn([P|Ps], Rest, New).

turn([], Acc, Acc).
turn([P|Ps], Acc, New) :- Q is -P, turn(Ps, [Q|Acc], New).

heuristic(S, H) :-
    partition([X]>>(X < 0), S, Neg, _),
    length(Neg, H).
