% Lists that grow may come to be as long as the goal.
initial_state([]).
final_state([1,2,1,2,1,2]).
rule(put(N), 1, L, [N|L]) :- length(L, K), K < 6, member(N, [1, 2]).
