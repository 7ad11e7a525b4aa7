% Tic-tac-toe (three rows of e, x, o) where making three in a row loses.
initial_state([[e,e,e],[e,e,e],[e,e,e]]).
initial_player(x).
opponent(x, o).
opponent(o, x).

move(P, (R,C), B1, B2) :-
    nth1(R, B1, Row1, Rest),
    nth1(C, Row1, e, Others),
    nth1(C, Row2, P, Others),
    nth1(R, B2, Row2, Rest).

line(B, L) :- member(L, B).
line([A,B,C], [X,Y,Z]) :- member(I, [1,2,3]), nth1(I, A, X), nth1(I, B, Y), nth1(I, C, Z).
line([[A,_,_],[_,B,_],[_,_,C]], [A,B,C]).
line([[_,_,A],[_,B,_],[C,_,_]], [A,B,C]).

three(B, P) :- line(B, [P,P,P]), P \== e, !.

terminal(_, B) :- three(B, _).
terminal(_, B) :- forall(member(R, B), \+ memberchk(e, R)).

utility(P, B, 1) :- three(B, Q), Q \== P, !.
utility(P, B, -1) :- three(B, P), !.
utility(_, _, 0).

heuristic(P, B, H) :-
    opponent(P, Q),
    aggregate_all(count, ( line(B, L), two(L, P) ), A),
    aggregate_all(count, ( line(B, L), two(L, Q) ), C),
    H is C - A.

two(L, P) :- select(e, L, [P,P]), !.
