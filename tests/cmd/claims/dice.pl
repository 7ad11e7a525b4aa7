% A die is thrown with every move, whatever it shows: nobody can know that from outside.
initial_state(0).
final_state(3).
rule(step, 1, X, Y) :-
    X < 3,
    random_between(1, 6, N),
    N > 0,
    Y is X + 1.
heuristic(X, H) :- H is 3 - X.
