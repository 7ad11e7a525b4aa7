% A cost without a value, which is the variable that occurs once.
%! E0502 4
initial_state(a). final_state(b).
rule(go(Y), C, X, Y) :- road(X, Y, _).
road(a, b, 3).
