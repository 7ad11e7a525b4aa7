% Noughts and crosses on 3 x 3 with the squares taken as a sorted list of facts
% at(Col, Row, Piece); the state knows who is to move.
initial_state(pos(x, [])).
to_move(pos(P, _), P).

initial_player(x).
opponent(x, o).
opponent(o, x).

move(_, play(C,R), pos(P, Facts), pos(Q, Facts2)) :-
    opponent(P, Q),
    between(1, 3, C), between(1, 3, R),
    \+ member(at(C,R,_), Facts),
    ord_union(Facts, [at(C,R,P)], Facts2).

has_line(Fs, P) :- member(I, [1,2,3]), subset([at(I,1,P), at(I,2,P), at(I,3,P)], Fs).
has_line(Fs, P) :- member(I, [1,2,3]), subset([at(1,I,P), at(2,I,P), at(3,I,P)], Fs).
has_line(Fs, P) :- subset([at(1,1,P), at(2,2,P), at(3,3,P)], Fs).
has_line(Fs, P) :- subset([at(1,3,P), at(2,2,P), at(3,1,P)], Fs).

terminal(_, pos(_, Fs)) :- ( has_line(Fs, x) ; has_line(Fs, o) ; length(Fs, 9) ), !.

utility(J, pos(_, Fs), U) :- has_line(Fs, J), !, U = 10.
utility(J, pos(_, Fs), U) :- opponent(J, A), has_line(Fs, A), !, U = -10.
utility(_, _, 0).
