% Atoms against strings and numbers.
%! W0517 7
%! W0517 8
%! W0517 9
initial_state(at(w1)).
final_state(at(w3)).
edge(w1, w2). edge("w2", w3).
floor('1').
free(Row, X) :- sub_string(Row, X, 1, _, Ch), Ch \= '#'.
rule(go, 1, at(X), at(Y)) :- edge(X, Y), free("..#.", 1), level(Y, 1), \+ floor(9).
level(_, L) :- \+ floor(L), floor(L) ; L = 1.
