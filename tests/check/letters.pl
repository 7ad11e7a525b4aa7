% A string against the letters of strings.
%! W0517 6
row(0, "#####"). row(1, "#S.G#"). row(2, "#####").
cell(X, Y, C) :- row(Y, R), string_chars(R, Cs), nth0(X, Cs, C).
initial_state(p(X, Y)) :- cell(X, Y, 'S').
final_state(p(X, Y)) :- cell(X, Y, "G").
rule(right, 1, p(X, Y), p(X1, Y)) :- X1 is X + 1, cell(X1, Y, C), C \== '#'.
