% A tiny Sokoban.
%   #######
%   #.    #
%   # $$  #
%   #.  @ #
%   #######
% sok(PlayerX-PlayerY, Boxes): boxes are a sorted list

wall(X-Y) :- ( X < 1 ; X > 5 ; Y < 1 ; Y > 3 ), !.

goal(1-1).
goal(1-3).

initial_state(sok(4-3, [2-2, 3-2])).

final_state(sok(_, Boxes)) :- forall(member(B, Boxes), goal(B)).

delta(left, -1, 0).
delta(right, 1, 0).
delta(up, 0, -1).
delta(down, 0, 1).

next(X-Y, Dir, X1-Y1) :- delta(Dir, Dx, Dy), X1 is X + Dx, Y1 is Y + Dy, \+ wall(X1-Y1).

rule(Move, 1, sok(P, Boxes), sok(P1, Boxes1)) :-
    next(P, Dir, P1),
    (   select(P1, Boxes, Others)
    ->  next(P1, Dir, B1),
        \+ memberchk(B1, Others),
        sort([B1|Others], Boxes1),
        Move = push(Dir)
    ;   Boxes1 = Boxes,
        Move = walk(Dir)
    ).

heuristic(sok(_, Boxes), H) :- foldl(nearest, Boxes, 0, H).

nearest(X-Y, Sum0, Sum) :-
    aggregate_all(min(D), ( goal(Gx-Gy), D is abs(X-Gx) + abs(Y-Gy) ), Min),
    Sum is Sum0 + Min.
