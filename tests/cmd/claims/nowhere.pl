% No state to begin with.
initial_state(S) :-
    member(S, [1, 2]),
    S > 2.
final_state(3).
rule(up, 1, X, Y) :- Y is X + 1.
heuristic(_, 0).
