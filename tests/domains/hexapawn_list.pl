% Hexapawn: pieces as a sorted list of Colour-X-Y; white starts below.
initial_state([b-1-3, b-2-3, b-3-3, w-1-1, w-2-1, w-3-1]).
initial_player(w).
opponent(w, b).
opponent(b, w).

forward(w, 1).
forward(b, -1).

move(J, X-Y/X1-Y1, S1, S2) :-
    forward(J, D),
    select(J-X-Y, S1, S),
    Y1 is Y + D,
    (   X1 = X, \+ memberchk(_-X-Y1, S), Rest = S
    ;   opponent(J, A),
        ( X1 is X - 1 ; X1 is X + 1 ),
        selectchk(A-X1-Y1, S, Rest)
    ),
    Y1 >= 1, Y1 =< 3,
    sort([J-X1-Y1|Rest], S2).

terminal(J, S) :- opponent(J, A), home(J, H), member(A-_-H, S), !.
terminal(J, S) :- \+ move(J, _, S, _).

home(w, 1).
home(b, 3).

utility(_, _, -1).

heuristic(J, S, H) :- aggregate_all(sum(V), ( member(C-_-_, S), ( C == J -> V = 1 ; V = -1 ) ), H).
