% A full stop in the place of a comma.
%! E0307 5
initial_state(0). final_state(3).
rule(inc, 1, S, T) :-
    S < 5.
    T is S + 1,
    T < 5.
