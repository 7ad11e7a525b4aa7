% A number that nothing bounds.
%! N0607 4
initial_state(j(0,0)). final_state(j(_,2)).
rule(fill, 1, j(A,B), j(C,B)) :- C is A + 4.
rule(pour, 1, j(A,B), j(B,A)) :- A > B.
