% A mark in the start that the rules don't know.
%! W0505 6
initial_state([1,2,3,b]). final_state([1,2,3,0]).
near(A, B) :- B is A + 1, B =< 3.
near(A, B) :- B is A - 1, B >= 0.
rule(slide(T), 1, S, R) :- nth0(I, S, 0), near(I, J), nth0(J, S, T), swap(S, T, R).
swap([], _, []).
swap([0|Xs], T, [T|Ys]) :- !, swap(Xs, T, Ys).
swap([T|Xs], T, [0|Ys]) :- !, swap(Xs, T, Ys).
swap([X|Xs], T, [X|Ys]) :- swap(Xs, T, Ys).
