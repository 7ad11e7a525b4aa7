% A variable written small, in arithmetic.
%! W0526 6
initial_state([]). final_state(Qs) :- length(Qs, 6).
rule(place(R), 1, Qs, [R|Qs]) :- between(1, 6, R), safe(R, 1, Qs).
safe(_, _, []).
safe(r, D, [Q|Qs]) :- r =\= Q, r =\= Q + D, r =\= Q - D, D1 is D + 1, safe(r, D1, Qs).
