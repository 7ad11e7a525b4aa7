% Clauses that end otherwise than with a full stop, and one without `:-`.
%! E0307 6
%! E0307 8
%! E0101 10
initial_state(0).
final_state(2);
final_state(3).
final_state(4):
final_state(5).
rule(inc, 1, S, T)
    S < 5,
    T is S + 1.
