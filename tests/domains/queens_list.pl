% Six queens: rows chosen column by column, the last one in front.
size(6).

initial_state([]).

final_state(Qs) :- size(N), length(Qs, N).

rule(Row, 1, Qs, [Row|Qs]) :-
    size(N),
    length(Qs, L), L < N,
    between(1, N, Row),
    safe(Row, Qs, 1).

safe(_, [], _).
safe(R, [Q|Qs], D) :-
    R =\= Q,
    abs(R - Q) =\= D,
    D1 is D + 1,
    safe(R, Qs, D1).

heuristic(Qs, H) :- size(N), length(Qs, L), H is N - L.
