% A sum that nobody computes in a pair that is a part of the state.
%! W0516 6
%= rule(take(I), 1, bag(W-V, L), bag(W1-V1, [I|L])) :- item(I, G, P), G =< W, W1 is W-G, V1 is V+P.
initial_state(bag(10-0, [])). final_state(bag(0-_, _)).
item(a, 4, 5). item(b, 6, 7).
rule(take(I), 1, bag(W-V, L), bag(W1-V1, [I|L])) :- item(I, G, P), G =< W, W1 is W-G, V1 = V+P.
