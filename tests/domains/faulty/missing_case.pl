% A predicate that is not there is called in some states only.
initial_state(1-[]).
final_state(30-_).
:- dynamic known/1.
known(4). known(6).

rule(double, 1, N-L, M-L) :- N < 20, M is N * 2.
rule(add, 1, N-L, M-[N|L]) :- L \= [_,_|_], M is N + 3, M < 40.
rule(ask, 1, N-L, M-L) :- N > 12, N < 15, call(unknown_here, N, M).
rule(known, 1, N-L, M-L) :- known(N), M is N * 5.

heuristic(N-_, H) :- H is abs(30 - N) / 30.
