% The same in an argument, behind a helper.
%! W0516 6
initial_state([3, 2]).
final_state([0, _]).
rule(take, 1, [A, B], S) :- A > 0, made(A, B, S).
made(A, B, [A - 1, B]).
