% Any number of jugs. A state is a list of Name-Amount, the sizes are facts.
% No tap: the 12 litres are to be shared out evenly.

size(a, 12).
size(b, 7).
size(c, 5).

initial_state([a-12, b-0, c-0]).

final_state(S) :- memberchk(a-6, S), memberchk(b-6, S).

rule(pour(From, To), 1, S1, S3) :-
    select(From-N, S1, From-N1, S2),
    N > 0,
    select(To-M, S2, To-M1, S3),
    From \== To,
    size(To, Size),
    Room is Size - M,
    Room > 0,
    (   N =< Room
    ->  N1 = 0, M1 is M + N
    ;   N1 is N - Room, M1 = Size
    ).
