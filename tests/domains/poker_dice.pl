% Each player in turn changes one die to a higher face; who makes the sum exceed 12 loses.
% d(A,B,C) and a counter of passes; a player may pass once in all.
initial_state(d(1,1,1)-passes(0,0)).
initial_player(anton).
opponent(anton, bea).
opponent(bea, anton).

move(_, set(I, V), D1-P, D2-P) :-
    arg(I, D1, Old),
    From is Old + 1,
    between(From, 4, V),
    D1 =.. [d|L1],
    nth1(I, L1, _, Rest),
    nth1(I, L2, V, Rest),
    D2 =.. [d|L2].
move(anton, pass, D-passes(0,Q), D-passes(1,Q)).
move(bea, pass, D-passes(P,0), D-passes(P,1)).

sum(d(A,B,C), S) :- S is A + B + C.

terminal(_, D-_) :- sum(D, S), S > 9.
utility(_, _, 1).
heuristic(J, D-passes(P,Q), H) :-
    sum(D, S),
    ( J == anton -> X = P ; X = Q ),
    H is (S mod 2) - 0.5 * X.
