% A clause under a name that is nearly another's, and a test that nobody makes.
%! W0510 9
%! N0602 10
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1, \+ blocked(M).
rule(down, 1, N, M) :- N > 0, M is N - 1, \+ blocked(M).
blocked(7).
blocked(8).
blokced(9).
safe(N) :- N < 5, \+ N = 2.
