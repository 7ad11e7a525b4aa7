deep(0) :- throw(bottom). deep(N) :- M is N-1, deep(M), true.
safe(N, E) :- catch(deep(N), E, true).
loop(N) :- N > 0, M is N-1, loop(M). loop(0) :- atom_length(_, _).
clean(L) :- setup_call_cleanup(true, member(X, [1,2,3]), true), L = X.
all(L) :- findall(X-Y, (member(X, [1,2]), member(Y, [a,b])), L).
unknown(X) :- no_such(X). text(A, L) :- atom_length(A, L), atom_chars(A, C), length(C, L).

?- safe(100, E)
?- deep(3)
?- loop(1500)
?- clean(L)
?- all(L)
?- unknown(1)
?- text(hello, L)
?- text(X, L)
?- text(f(x), L)
