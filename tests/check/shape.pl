% A goal that is not written as the states are.
%! W0520 4
initial_state(at(0, 0)).
final_state([3, 0]).
rule(east, 1, at(X, Y), at(X1, Y)) :- X < 3, X1 is X + 1.
