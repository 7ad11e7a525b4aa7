% Expressions that are used more than once, and tests that nest deep.
initial_state(s(A, B)) :- member(A, [0, 1, 2]), member(B, [1, 3]).
rule(double, 1, s(A, B), s(C, B)) :- A > 0, double(30, A, X), C is X mod 7.
rule(fib, 1, s(A, B), s(C, D)) :- fib(15, A, B, C, D).
rule(abs, 1, s(A, B), s(C, B)) :- abs_sum(20, A, C).
final_state(s(A, B)) :- double(10, A, X), double(10, B, Y), X =:= Y.
heuristic(s(A, B), H) :- double(40, A, X), double(40, B, Y), H is abs(X - Y) mod 1000.
double(0, X, X) :- !.
double(N, X, Y) :- Z is X + X, M is N - 1, double(M, Z, Y).
fib(0, X, Y, X, Y) :- !.
fib(N, X, Y, A, B) :- Z is X + Y, M is N - 1, fib(M, Y, Z, A, B).
abs_sum(0, X, X) :- !.
abs_sum(N, X, Y) :- Z is abs(X - N), M is N - 1, abs_sum(M, Z, Y).
