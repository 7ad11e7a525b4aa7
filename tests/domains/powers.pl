% Numbers that grow beyond 64 bits: square, halve, decrement.
initial_state(6).
final_state(N) :- N =:= 2 ** 70.

rule(square, 1, N, M) :- N < 1 << 60, M is N * N, M < 1 << 90.
rule(halve, 1, N, M) :- N mod 2 =:= 0, M is N // 2, M > 0.
rule(dec, 1, N, M) :- N > 1, N < 40, M is N - 1.
rule(shift, 3, N, M) :- N > 1 << 62, N < 1 << 80, M is N << 3.

heuristic(N, H) :- H is abs(msb(N) - 70) / 60.
