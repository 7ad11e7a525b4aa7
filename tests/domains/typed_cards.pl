% A patience with cards of different types: numbers, a joker (unbound), kings (atoms),
% and pairs. Take two neighbours that go together away.
initial_state([3, king, _, 3, 2-5, 5-2, king, queen, 7]).
final_state(Row) :- length(Row, N), N =< 1.

rule(take(A,B), Cost, Row, New) :-
    append(Front, [A,B|Back], Row),
    match(A, B, Cost),
    append(Front, Back, New).
rule(turn(I), 4, Row, New) :-
    nth0(I, Row, X), compound(X), X = A-B, A \== B,
    findall(Z, ( nth0(J, Row, Y), ( J =:= I -> Z = B-A ; Z = Y ) ), New).
rule(rotate, 3, [X|Xs], New) :-
    length(Xs, N), N > 2,
    append(Xs, [X], New).

match(A, B, 1) :- A == B, !.
match(A, B, 2) :- ( var(A) ; var(B) ), !.
match(A, B, 3) :- atom(A), atom(B), A @< B.
match(A, B, C) :- integer(A), integer(B), C is abs(A - B), !.
match(A-B, C-D, 1) :- A =:= D, B =:= C.
match(A, B, 5) :- atomic(A), atomic(B), \+ atom(A), compare(O, A, B), O = (<).

heuristic(Row, H) :- length(Row, N), H is max(0, (N - 1) // 2).
