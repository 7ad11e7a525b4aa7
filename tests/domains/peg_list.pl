% Peg solitaire in a row and a half: pegs kept as a sorted list of coordinates.
% The board is a plus of 3x3 with arms of length 1 (13 squares).

square(X-Y) :- between(1, 5, X), between(1, 5, Y),
    Dx is abs(X - 3), Dy is abs(Y - 3), Dx + Dy =< 2.

initial_state(Pegs) :- findall(P, ( square(P), P \== 3-3 ), Pegs).

final_state(Pegs) :- length(Pegs, N), N =< 4.

dir(0, 1). dir(0, -1). dir(1, 0). dir(-1, 0).

rule(X-Y/To, 1, Pegs, New) :-
    member(X-Y, Pegs),
    dir(Dx, Dy),
    X1 is X + Dx, Y1 is Y + Dy, memberchk(X1-Y1, Pegs),
    X2 is X1 + Dx, Y2 is Y1 + Dy,
    To = X2-Y2,
    square(To), \+ memberchk(To, Pegs),
    subtract(Pegs, [X-Y, X1-Y1], Rest),
    sort([To|Rest], New).
