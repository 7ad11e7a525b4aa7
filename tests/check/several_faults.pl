% Faults in several goals of a clause.
%! E0101 6
%! E0101 7
%! E0101 8
initial_state(0). final_state(3).
rule(inc, 1, S, T) :- S <= 5,
    S != 7,
    T <- S + 1.
