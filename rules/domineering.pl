% Domineering (G. Andersson; J. Conway).
%
% Two players in turn put a domino on two empty squares of a board: one of them upright, the
% other one across.  Who can't do that loses.
%
% A state is the list of the rows of the board: `#` is a covered square, and `-` an empty one.
% A move is named after the upper or the left square of the domino, [Row,Column].
%
% Winner with best play, by rows and columns, if `upright` begins:
%
%     2 x 2  upright     2 x 3  upright     2 x 4  across      2 x 5  upright
%     3 x 2  upright     3 x 3  upright     3 x 4  across      4 x 2  upright
%     4 x 3  upright     4 x 4  upright     4 x 5  upright     5 x 2  across
%     5 x 4  across      5 x 5  across
%
% Things to try: let the other player begin; who wins on boards of two rows?

rows(4).
columns(4).

initial_state(S) :-
    rows(R),
    columns(C),
    length(Row, C),
    maplist(=(-), Row),
    length(S, R),
    maplist(=(Row), S).

initial_player(upright).

opponent(upright, across).
opponent(across, upright).

% Upright: the same place in two rows.
move(upright, [R,C], S1, S2) :-
    append(Above, [Upper1,Lower1|Below], S1),
    both_empty(Upper1, Lower1, Upper2, Lower2, 1, C),
    length([_|Above], R),
    append(Above, [Upper2,Lower2|Below], S2).
% Across: two places of one row.
move(across, [R,C], S1, S2) :-
    append(Above, [Row1|Below], S1),
    append(Left, [-,-|Right], Row1),
    length([_|Above], R),
    length([_|Left], C),
    append(Left, [#,#|Right], Row2),
    append(Above, [Row2|Below], S2).

% both_empty(Row1, Row2, New1, New2, I, C): both rows are empty in place C, and a domino
% comes there; I is the place of the first squares.
both_empty([-|Us], [-|Ls], [#|Us], [#|Ls], C, C).
both_empty([U|Us1], [L|Ls1], [U|Us2], [L|Ls2], I, C) :-
    I1 is I + 1,
    both_empty(Us1, Ls1, Us2, Ls2, I1, C).

terminal(J, S) :- \+ move(J, _, S, _).

% Who is to move has lost.
utility(_, _, -1).

% The moves of J less those of the opponent.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(J, S, H) :-
    opponent(J, A),
    moves(J, S, Own),
    moves(A, S, Others),
    H is (Own - Others) / 100.

moves(J, S, N) :-
    findall(M, move(J, M, S, _), Moves),
    length(Moves, N).

print_state(S) :-
    forall(member(Row, S), print_row(Row)).

print_row(Row) :-
    forall(member(Square, Row), ( write(' '), print_square(Square) )), nl.

print_square(-) :- !, write('.').
print_square(#) :- write(#).
