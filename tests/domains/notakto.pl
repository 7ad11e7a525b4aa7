% Notakto: both play crosses on 3 x 3, who makes three in a row loses.
% The board is nine bits of one integer.
initial_state(0).
initial_player(p).
opponent(p, q).
opponent(q, p).

lines([0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]).

move(_, Sq, S1, S2) :-
    between(0, 8, Sq),
    Bit is 1 << Sq,
    0 is S1 /\ Bit,
    S2 is S1 \/ Bit.

terminal(_, S) :- lines(Ls), member(L, Ls), L =:= S /\ L, !.

utility(_, _, 1).
