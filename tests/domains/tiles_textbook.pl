% 3 x 4 sliding tiles as textbooks write them: tiles are exchanged by value, counts and sums go
% along the board in every way there is. The second start has two holes.
initial_state(one, [1,2,3, 4,0,5, 7,8,6, 10,11,9]).
initial_state(two, [1,2,3, 4,5,6, 7,0,9, 10,0,8]).

final_state([1,2,3,4,5,6,7,8,9,10,11,0]).
final_state([1,2,3,4,5,6,7,8,9,10,0,0]).

rule(Move, 1, Board, New) :-
    nth0(Hole, Board, 0),
    step(Move, Hole, From),
    nth0(From, Board, Tile),
    maplist(exchange(Tile), Board, New).

exchange(Tile, 0, Tile) :- Tile =\= 0, !.
exchange(Tile, Tile, 0) :- !.
exchange(_, Other, Other).

step(up, P, Q) :- P > 2, Q is P - 3.
step(down, P, Q) :- P < 9, Q is P + 3.
step(left, P, Q) :- P mod 3 > 0, Q is P - 1.
step(right, P, Q) :- P mod 3 < 2, Q is P + 1.

% An accumulator, with a clause of its own for the hole.
heuristic(manhattan, Board, H) :- manhattan(Board, 0, 0, H).
% Work behind the recursion, clauses with cuts.
heuristic(misplaced, Board, H) :- numlist(1, 12, Goal), misplaced(Board, Goal, H).
% The same without cuts.
heuristic(unlike, Board, H) :- numlist(1, 12, Goal), unlike(Board, Goal, N), H is max(0, N - 2).
% The recursion in both branches.
heuristic(low, Board, H) :- low(Board, 1, H).
heuristic(folded, Board, H) :-
    numlist(1, 12, Goal),
    foldl([X,Y,A,B]>>( X =\= 0, X =\= Y -> B is A + 1 ; B = A ), Board, Goal, 0, H).
heuristic(listed, Board, H) :-
    delete(Board, 0, Tiles), include([T]>>( T > 11 ), Tiles, Large), length(Large, H).
heuristic(inversions, Board, H) :- inversions(Board, 0, N), H is N // 16.

manhattan([], _, H, H).
manhattan([0|Ts], P, A, H) :- !, Q is P + 1, manhattan(Ts, Q, A, H).
manhattan([T|Ts], P, A, H) :-
    G is T - 1,
    Rows is abs(P // 3 - G // 3),
    Columns is abs(P mod 3 - G mod 3),
    B is A + Rows + Columns,
    Q is P + 1,
    manhattan(Ts, Q, B, H).

misplaced([], [], 0).
misplaced([T|Ts], [T|Gs], H) :- !, misplaced(Ts, Gs, H).
misplaced([0|Ts], [_|Gs], H) :- !, misplaced(Ts, Gs, H).
misplaced([_|Ts], [_|Gs], H) :- misplaced(Ts, Gs, H0), H is H0 + 1.

unlike([], [], 0).
unlike([X|Xs], [Y|Ys], N) :- X \= Y, unlike(Xs, Ys, M), N is M + 1.
unlike([X|Xs], [X|Ys], N) :- unlike(Xs, Ys, N).

low([], _, 0).
low([T|Ts], P, N) :-
    Q is P + 1,
    (   T > P
    ->  low(Ts, Q, M), N is max(M, 1)
    ;   low(Ts, Q, N)
    ).

inversions([], N, N).
inversions([T|Ts], A, N) :- smaller(Ts, T, 0, M), B is A + M, inversions(Ts, B, N).

smaller([], _, N, N).
smaller([U|Us], T, A, N) :- U < T, U > 0, !, B is A + 1, smaller(Us, T, B, N).
smaller([_|Us], T, A, N) :- smaller(Us, T, A, N).
