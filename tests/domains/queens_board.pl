% Five queens on a list of variables: an unbound one has no row yet.
initial_state([_,_,_,_,_]).

final_state(Board) :- ground(Board).

rule(queen(C,R), 1, Board, Board2) :-
    nth1(C, Board, Q), var(Q), !,
    between(1, 5, R),
    \+ ( nth1(C2, Board, R2), integer(R2), attacks(C, R, C2, R2) ),
    copy_term(Board, Board2),
    nth1(C, Board2, R).

attacks(_, R, _, R).
attacks(C, R, C2, R2) :- abs(C - C2) =:= abs(R - R2).

heuristic(Board, H) :- include(var, Board, Free), length(Free, H).
