% 2 x 3 sliding tiles. The board is one flat list, 0 is the hole.
%   0 1 2
%   3 4 5

initial_state([4,1,2, 5,3,0]).

final_state([1,2,3,4,5,0]).

neighbour(0,1). neighbour(0,3).
neighbour(1,0). neighbour(1,2). neighbour(1,4).
neighbour(2,1). neighbour(2,5).
neighbour(3,0). neighbour(3,4).
neighbour(4,1). neighbour(4,3). neighbour(4,5).
neighbour(5,2). neighbour(5,4).

rule(move(Tile), 1, Board, New) :-
    nth0(Hole, Board, 0),
    neighbour(Hole, From),
    nth0(From, Board, Tile),
    swap(Board, Tile, New).

swap([], _, []).
swap([0|Xs], T, [T|Ys]) :- !, swap(Xs, T, Ys).
swap([T|Xs], T, [0|Ys]) :- !, swap(Xs, T, Ys).
swap([X|Xs], T, [X|Ys]) :- swap(Xs, T, Ys).

heuristic(Board, H) :-
    final_state(Goal),
    findall(T, ( nth0(I, Board, T), T =\= 0, \+ nth0(I, Goal, T) ), Wrong),
    length(Wrong, H).
