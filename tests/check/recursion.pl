% A recursion without end in a state behind the first.
%! W0506 7
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, step(N, M).
step(N, M) :- N =\= 2, M is N + 1.
step(2, M) :- count(2, M).
count(N, M) :- N1 is N + 1, count(N1, M).
