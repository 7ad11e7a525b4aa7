% The queens, three ways: by permutation, with a list of attacked lines, and one
% column after another.

queens1(N, Qs) :- numlist(1, N, Ns), permutation(Ns, Qs), safe(Qs).

safe([]).
safe([Q|Qs]) :- no_attack(Q, Qs, 1), safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Q1|Qs], D) :-
    Q =\= Q1 + D, Q =\= Q1 - D,
    D1 is D+1, no_attack(Q, Qs, D1).

queens2(N, Qs) :-
    numlist(1, N, Rows),
    D1 is 1-N, D2 is N-1, numlist(D1, D2, Diffs),
    S2 is 2*N, numlist(2, S2, Sums),
    place(Rows, Rows, Diffs, Sums, Qs).

place([], _, _, _, []).
place([X|Xs], Ys, Us, Vs, [Y|Qs]) :-
    select(Y, Ys, Ys1),
    U is X-Y, select(U, Us, Us1),
    V is X+Y, select(V, Vs, Vs1),
    place(Xs, Ys1, Us1, Vs1, Qs).

queens3(N, Qs) :- numlist(1, N, Ns), queens3(Ns, [], Qs).

queens3([], Qs, Qs).
queens3(Unplaced, Safe, Qs) :-
    select(Q, Unplaced, Rest),
    \+ attack(Q, Safe),
    queens3(Rest, [Q|Safe], Qs).

attack(X, Xs) :- attack(X, 1, Xs).
attack(X, N, [Y|_]) :- ( X is Y+N ; X is Y-N ).
attack(X, N, [_|Ys]) :- N1 is N+1, attack(X, N1, Ys).

%? queens1(4, Qs).
%= Qs = [2,4,1,3]
%= Qs = [3,1,4,2]
%? queens1(6, Qs).
%= Qs = [2,4,6,1,3,5]
%= Qs = [3,6,2,5,1,4]
%= Qs = [4,1,5,2,6,3]
%= Qs = [5,3,1,6,4,2]
%? once(queens2(8, Qs)).
%= Qs = [1,5,8,6,3,7,2,4]
%? findall(Q, queens2(6, Q), L), length(L, N).
%= Q = _, L = [[2,4,6,1,3,5],[3,6,2,5,1,4],[4,1,5,2,6,3],[5,3,1,6,4,2]], N = 4
%? findall(Q, queens3(8, Q), _L), length(_L, N).
%= Q = _, N = 92
%? queens3(3, Qs).
%= false
