% The goal asks for a mark that no rule makes, in a space without end.
%! W0520 3
initial_state(s(0, e)). final_state(s(_, f)).
rule(up, 1, s(N, X), s(M, X)) :- M is N + 1.
