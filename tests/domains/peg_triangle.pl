% Peg solitaire on a triangle of ten holes
%      1
%     2 3
%    4 5 6
%   7 8 9 10
% A state is holes(H1, ..., H10), x is a peg, o is a hole.

initial_state(holes(x,o,x,x,x,x,x,x,x,x)).

final_state(S) :- S =.. [_|L], include(==(x), L, [_]).

line(1,2,4). line(2,4,7). line(3,5,8).
line(1,3,6). line(3,6,10). line(2,5,9).
line(4,5,6). line(7,8,9). line(8,9,10).

jump(A,B,C) :- line(A,B,C).
jump(A,B,C) :- line(C,B,A).

rule(jump(A,C), 1, S1, S2) :-
    jump(A, B, C),
    arg(A, S1, x),
    arg(B, S1, x),
    arg(C, S1, o),
    S1 =.. [F|L1],
    set(L1, 1, [A-o,B-o,C-x], L2),
    S2 =.. [F|L2].

set([], _, _, []).
set([X|Xs], I, Changes, [Y|Ys]) :-
    (   memberchk(I-New, Changes)
    ->  Y = New
    ;   Y = X
    ),
    J is I + 1,
    set(Xs, J, Changes, Ys).

heuristic(S, H) :-
    S =.. [_|L],
    aggregate_all(count, member(x, L), N),
    H is N - 1.
