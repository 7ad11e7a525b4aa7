fact(0, 1) :- !. fact(N, F) :- M is N-1, fact(M, G), F is N*G.
sum(0, S, S). sum(N, S, T) :- N > 0, M is N-1, U is S+N, sum(M, U, T).
all(X, Y, [A,B,C,D,E,F,G,H,I]) :- A is X+Y, B is X-Y, C is X*Y, D is X//Y, E is X mod Y,
    F is X rem Y, G is max(X,Y), H is X/\Y, I is (X>>2) xor (Y\/X).
div(X, Y, Z) :- Z is X div Y. neg(X, Y) :- Y is -X. abs(X, Y) :- Y is abs(X).
cmp(X, Y, L) :- findall(R, rel(X, Y, R), L).
rel(X, Y, <) :- X < Y. rel(X, Y, >) :- X > Y. rel(X, Y, =<) :- X =< Y.
rel(X, Y, >=) :- X >= Y. rel(X, Y, =:=) :- X =:= Y. rel(X, Y, =\=) :- X =\= Y.
power(B, N, P) :- P is B**N. tak(X, Y, Z, A) :- X =< Y, Z = A.
tak(X, Y, Z, A) :- X > Y, X1 is X-1, tak(X1, Y, Z, A1), Y1 is Y-1, tak(Y1, Z, X, A2),
    Z1 is Z-1, tak(Z1, X, Y, A3), tak(A1, A2, A3, A).

?- fact(30, F)
?- sum(1000, 0, S)
?- all(17, 5, L)
?- all(-17, 5, L)
?- all(-17, -5, L)
?- all(1152921504606846975, 3, L)
?- all(-1152921504606846976, -1, L)
?- all(1000000000000, 1000000000000, L)
?- all(3, 0, L)
?- all(a, 1, L)
?- all(X, 1, L)
?- all(1.5, 2, L)
?- all(100000000000000000000, 7, L)
?- div(-7, 2, Z)
?- div(7, -2, Z)
?- neg(-1152921504606846976, Y)
?- neg(2.5, Y)
?- abs(-3, Y)
?- cmp(1, 2, L)
?- cmp(2, 2.0, L)
?- cmp(1+1, 2, L)
?- cmp(100000000000000000000, 1, L)
?- cmp(a, 1, L)
?- power(2, 100, P)
?- tak(12, 8, 4, A)
?- tak(X, 8, 4, A)
