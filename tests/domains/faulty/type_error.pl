% Counting that meets an atom: the square marked x is no number.
initial_state(walk([1,2,3,x,5], 0)).
final_state(walk([], 11)).

rule(add, 1, walk([N|Ns], Sum), walk(Ns, Sum2)) :- Sum2 is Sum + N.
rule(skip, 2, walk([_|Ns], Sum), walk(Ns, Sum)).
rule(back, 1, walk([5], Sum), walk([4,5], Sum)).

heuristic(walk(Ns, _), H) :- length(Ns, H).
