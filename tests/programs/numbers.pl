% Recursion on numbers: tak, factorial, Fibonacci, Ackermann, Collatz, primes.

tak(X, Y, Z, A) :- X =< Y, !, Z = A.
tak(X, Y, Z, A) :-
    X1 is X-1, Y1 is Y-1, Z1 is Z-1,
    tak(X1, Y, Z, A1), tak(Y1, Z, X, A2), tak(Z1, X, Y, A3),
    tak(A1, A2, A3, A).

fac(0, 1) :- !.
fac(N, F) :- N1 is N-1, fac(N1, F1), F is N*F1.

fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, FA), fib(B, FB), F is FA+FB.

fibl(N, F) :- fibl(N, 0, 1, F).
fibl(0, A, _, A) :- !.
fibl(N, A, B, F) :- N1 is N-1, C is A+B, fibl(N1, B, C, F).

ack(0, N, R) :- !, R is N+1.
ack(M, 0, R) :- !, M1 is M-1, ack(M1, 1, R).
ack(M, N, R) :- M1 is M-1, N1 is N-1, ack(M, N1, R1), ack(M1, R1, R).

collatz(1, 0) :- !.
collatz(N, S) :- ( N mod 2 =:= 0 -> M is N // 2 ; M is 3*N+1 ), collatz(M, S1), S is S1+1.

gcd(X, 0, X) :- !.
gcd(X, Y, G) :- Z is X mod Y, gcd(Y, Z, G).

prime(2).
prime(N) :- N > 2, N mod 2 =\= 0, \+ has_factor(N, 3).
has_factor(N, F) :- N mod F =:= 0.
has_factor(N, F) :- F*F < N, F2 is F+2, has_factor(N, F2).

sieve([], []).
sieve([P|Xs], [P|Ps]) :- exclude([X]>>(X mod P =:= 0), Xs, Ys), sieve(Ys, Ps).

perfect(N) :- findall(D, (M is N-1, between(1, M, D), N mod D =:= 0), Ds), sum_list(Ds, N).

power(_, 0, 1) :- !.
power(B, E, P) :- E mod 2 =:= 0, !, H is E // 2, power(B, H, Q), P is Q*Q.
power(B, E, P) :- E1 is E-1, power(B, E1, Q), P is B*Q.

loop(0) :- !.
loop(N) :- N1 is N-1, loop(N1).

pythagoras(N, A-B-C) :- between(1, N, A), between(A, N, B), C2 is A*A+B*B, C is truncate(sqrt(C2)), C =< N, C*C =:= C2.

%? tak(12, 8, 4, A).
%= A = 5
%? tak(8, 4, 2, A).
%= A = 3
%? fac(5, F).
%= F = 120
%? fac(50, F).
%= F = 30414093201713378043612608166064768844377641568960512000000000000
%? fib(15, F).
%= F = 610
%? fibl(200, F).
%= F = 280571172992510140037611932413038677189525
%? ack(2, 3, R).
%= R = 9
%? collatz(27, S).
%= S = 111
%? gcd(1071, 462, G).
%= G = 21
%? findall(P, (between(1, 50, P), prime(P)), L).
%= P = _, L = [2,5,7,11,13,17,19,23,29,31,37,41,43,47]
%? numlist(2, 60, _L), sieve(_L, Ps).
%= Ps = [2,3,5,7,11,13,17,19,23,29,31,37,41,43,47,53,59]
%? findall(N, (between(2, 500, N), perfect(N)), L).
%= N = _, L = [6,28,496]
%? power(3, 100, P).
%= P = 515377520732011331036461129765621272702107522001
%? loop(1000000).
%= true
%? findall(T, pythagoras(20, T), L).
%= T = _, L = [3-4-5,5-12-13,6-8-10,8-15-17,9-12-15,12-16-20]
