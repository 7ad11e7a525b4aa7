% Blocks world. A state is a sorted list of stacks, each from top to bottom.

initial_state(five, [[c,b,a],[d,e]]).
initial_state(sussman, [[b],[c,a]]).

final_state(S) :- member(Stack, S), append(_, [a,b,c|_], Stack), !.

rule(to_table(B), 1, S1, S2) :-
    select([B,C|Stack], S1, Rest),
    msort([[B],[C|Stack]|Rest], S2).
rule(onto(B,C), 1, S1, S2) :-
    select([B|From], S1, Rest1),
    select([C|To], Rest1, Rest2),
    (   From == []
    ->  New = [[B,C|To]|Rest2]
    ;   New = [From,[B,C|To]|Rest2]
    ),
    msort(New, S2).
