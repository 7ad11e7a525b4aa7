% A heuristic with the goal as an argument.
%! W0507 5
initial_state(0). final_state(3).
rule(inc, 1, S, T) :- S < 5, T is S + 1.
heuristic(S, Goal, H) :- H is Goal - S.
