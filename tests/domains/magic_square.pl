% Fill a 3x3 magic square from the left; sq(A,B,...) with unbound places.
initial_state(sq(_,_,_,_,_,_,_,_,_)).
final_state(S) :- ground(S).

rule(N, 1, S, T) :-
    S =.. [sq|L],
    between(1, 9, N),
    \+ ( member(X, L), X == N ),
    fill(L, N, K),
    T =.. [sq|K],
    sums_ok(K).

fill([X|Xs], N, [N|Xs]) :- var(X), !.
fill([X|Xs], N, [X|Ys]) :- fill(Xs, N, Ys).

sums_ok([A,B,C,D,E,F,G,H,I]) :-
    ok(A,B,C), ok(D,E,F), ok(G,H,I),
    ok(A,D,G), ok(B,E,H), ok(C,F,I),
    ok(A,E,I), ok(C,E,G).

ok(A, B, C) :- \+ ground(f(A,B,C)), !.
ok(A, B, C) :- A + B + C =:= 15.
