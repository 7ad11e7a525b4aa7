% What looks like arithmetic and is none.
%! E0501 10
%! W0511 11
%! W0512 12
%! W0512 13
%! W0512 14
%= test(N) :- N + 1 =:= 4.
initial_state(1). final_state(4).
rule(up, 1, N, M) :- N < 5, M is N + 1, \+ never(N), \+ test(N), \+ other(N, M), \+ third(N, M).
never(N) :- N + 1 is M, M > 100.
never(N) :- N is N + 1.
test(N) :- N + 1 == 4.
other(N, M) :- M == N * 3.
third(N, M) :- N + M \= 3, N < 0.
