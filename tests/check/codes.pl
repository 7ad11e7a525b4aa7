% A letter against codes; no start comes of it.
%! W0517 5
row(0, "#####"). row(1, "#S.G#"). row(2, "#####").
cell(X, Y, C) :- row(Y, R), string_codes(R, Cs), nth0(X, Cs, C).
initial_state(p(X, Y)) :- cell(X, Y, 'S').
final_state(p(X, Y)) :- cell(X, Y, 0'G).
rule(right, 1, p(X, Y), p(X1, Y)) :- X1 is X + 1, cell(X1, Y, C), C \== 0'#.
