% Tait's coins: pennies and shillings alternate; move two neighbours at a time,
% without turning them, into two free places. Free places are unbound.
initial_state([p,s,p,s,p,s,_,_]).

final_state(Row) :-
    include(nonvar, Row, Coins),
    ( Coins == [p,p,p,s,s,s] ; Coins == [s,s,s,p,p,p] ),
    block(Row).

block(Row) :- append(_, [A|Rest], Row), nonvar(A), !, tail(Rest, 5).

tail(_, 0) :- !.
tail([X|Xs], N) :- nonvar(X), M is N - 1, tail(Xs, M).

rule(I-J, 1, S, T) :-
    pair_at(S, I, A, B), nonvar(A), nonvar(B),
    pair_at(S, J, X, Y), var(X), var(Y),
    build(S, 1, I, J, A, B, T).

pair_at([A,B|_], 1, A, B).
pair_at([_|R], N, A, B) :- pair_at(R, M, A, B), N is M + 1.

build([], _, _, _, _, _, []).
build([X|Xs], K, I, J, A, B, [Y|Ys]) :-
    (   K =:= J -> Y = A
    ;   K =:= J + 1 -> Y = B
    ;   K =:= I -> true
    ;   K =:= I + 1 -> true
    ;   var(X) -> true
    ;   Y = X
    ),
    K1 is K + 1,
    build(Xs, K1, I, J, A, B, Ys).
