% A move whose state no other clause takes.
%! W0534 6
initial_state(j(0,0)).
final_state(j(2,0)).
rule(fill, 1, j(_,B), j(2,B)).
rule(spill, 1, j(A,_), [A,3]).
