%! E0101 12
%! E0101 13
%! E0101 14
%! E0104 15
%! E0105 16
%! E0101 18
%! E0101 19
%= rule(up, 1, N, M) :- N < 5, M is N + 1.
%= a(N) :- N =< 3.
%= c(N) :- N > 3.
initial_state(0).
Rule(up, 1, N, M) :- N < 5, M is N + 1.
a(N) :- N <= 3.
b(N) <- a(N).
c(N) :- N > 3,.
final_state(5)
d(N) :- N > 1.
e(N) :- if a(N) then b(N) else c(N).
f (N) :- a(N).
