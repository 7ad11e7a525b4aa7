% Draughts on 4 x 5: lists of p(X,Y,Kind) of either side; who can take must, as often as can be.

initial_state(c([p(1,1,m), p(3,1,m), p(2,2,m)], [p(2,4,m), p(4,4,m), p(1,5,m)])).

initial_player(w).

opponent(w, b).
opponent(b, w).

move(w, M, c(W1,B1), c(W2,B2)) :- turn(W1, B1, 1, 5, M, W2, B2).
move(b, M, c(W1,B1), c(W2,B2)) :- turn(B1, W1, -1, 1, M, B2, W2).

turn(Own, Other, F, Last, M, Own2, Other2) :-
    findall(j(Path,A,B), takes(Own, Other, F, Last, Path, A, B), Js),
    Js \== [], !,
    member(j(M,Own2,Other2), Js).
turn(Own, Other, F, Last, X/Y>X1/Y1, Own2, Other) :-
    select(p(X,Y,K), Own, Rest),
    way(K, F, DX, DY), X1 is X + DX, Y1 is Y + DY,
    free(X1, Y1, Own, Other),
    crowned(K, Y1, Last, K1),
    sort([p(X1,Y1,K1)|Rest], Own2).

takes(Own, Other, F, Last, [X/Y|Path], Own2, Other2) :-
    select(p(X,Y,K), Own, Rest),
    take(X, Y, K, F, Rest, Other, Path, XE, YE, Other2),
    crowned(K, YE, Last, K1),
    sort([p(XE,YE,K1)|Rest], Own2).

take(X, Y, K, F, Rest, Other, [X2/Y2|Path], XE, YE, Other3) :-
    way(K, F, DX, DY), X1 is X + DX, Y1 is Y + DY,
    select(p(X1,Y1,_), Other, Other2),
    X2 is X1 + DX, Y2 is Y1 + DY,
    free(X2, Y2, Rest, Other2),
    on(X2, Y2, K, F, Rest, Other2, Path, XE, YE, Other3).

on(X, Y, K, F, Rest, Other, Path, XE, YE, Other2) :-
    take(X, Y, K, F, Rest, Other, Path, XE, YE, Other2).
on(X, Y, K, F, Rest, Other, [], X, Y, Other) :-
    \+ take(X, Y, K, F, Rest, Other, _, _, _, _).

way(m, F, DX, F) :- member(DX, [-1,1]).
way(k, _, DX, DY) :- member(DX, [-1,1]), member(DY, [-1,1]).

free(X, Y, A, B) :-
    between(1, 4, X), between(1, 5, Y),
    \+ memberchk(p(X,Y,_), A), \+ memberchk(p(X,Y,_), B).

crowned(_, Y, Y, k) :- !.
crowned(K, _, _, K).

terminal(J, S) :- \+ move(J, _, S, _).

utility(_, _, -1).
