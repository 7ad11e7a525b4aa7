% Far more states than are looked at: sums of ones and twos, with what was done kept.
initial_state(0-[]).
final_state(40-_).
rule(one, 1, N-L, M-[1|L]) :- N < 40, M is N + 1.
rule(two, 2, N-L, M-[2|L]) :- N < 39, M is N + 2.
heuristic(N-_, H) :- H is 40 - N.
