% A row of squares, some empty, each an unbound variable: they are stamped from both sides. With twins a stamp is put on two
% squares that share a variable.

initial_state(row, [_, _, _]).
initial_state(twins, [X, _, X]).
initial_state(full, [a, b, a]).

final_state([a, b, a]).

rule(stamp(Sign, N), Cost, Row1, Row2) :-
    append(Before, [Square|After], Row1),
    var(Square), !,
    length(Before, N),
    sign(Sign, Cost),
    copy_term(Square-Row1, Sign-Row2),
    is_list(After).

sign(a, 1).
sign(b, 2).
sign(c, 0).
