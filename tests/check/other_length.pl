% A goal with a list of another length than that of all states.
%! W0520 4
initial_state([1,0,0,0]).
final_state([0,0,1]).
rule(swap, 1, L, M) :- append(A, [X,Y|B], L), append(A, [Y,X|B], M).
