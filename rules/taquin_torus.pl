% The taquin on a torus: the edges of the board wrap round.
%
% As in taquin.pl, a tile beside the empty square `vide` can slide into it; but
% the last square of a row is also beside its first one, and the bottom of a
% column beside its top.  All 9! = 362,880 positions can be reached, the odd ones
% too, and none is farther than 19 moves from
%
%     a b c
%     h   d
%     g f e
%
% A state is the list of its rows.  The moves are named after where the empty
% square goes: left from the first square of a row leads to its last one.
%
% Instances (all but the last from taquin.pl) and their shortest solutions:
%
%     five   5 moves      two       2 moves      ten      10 moves
%     odd    7 moves      fourteen 14 moves      sixteen  16 moves
%     far   19 moves
%
% Things to try: `fourteen` and `sixteen` take 20 and 30 moves in taquin.pl, and
% `odd` has no solution there.  `far` is one of the four hardest positions.

initial_state(five,     [[b,h,c],[a,f,d],[g,vide,e]]).
initial_state(two,      [[a,b,c],[g,h,d],[vide,f,e]]).
initial_state(ten,      [[b,c,d],[a,vide,g],[f,h,e]]).
initial_state(fourteen, [[f,g,a],[h,vide,b],[d,c,e]]).
initial_state(sixteen,  [[e,f,g],[d,vide,h],[c,b,a]]).
initial_state(odd,      [[a,b,c],[g,vide,d],[h,f,e]]).
initial_state(far,      [[d,e,f],[c,vide,g],[b,a,h]]).

final_state([[a,b,c],
             [h,vide,d],
             [g,f,e]]).

rule(up,    1, S1, S2) :- exchange_in_column(_, vide, S1, S2).
rule(down,  1, S1, S2) :- exchange_in_column(vide, _, S1, S2).
rule(left,  1, S1, S2) :- exchange_in_row(_, vide, S1, S2).
rule(right, 1, S1, S2) :- exchange_in_row(vide, _, S1, S2).

exchange_in_row(X, Y, S1, S2) :-
    append(Above, [Row1|Below], S1),
    exchange(X, Y, Row1, Row2),
    append(Above, [Row2|Below], S2).

exchange_in_column(X, Y, S1, S2) :-
    transpose(S1, T1),
    exchange_in_row(X, Y, T1, T2),
    transpose(T2, S2).

% exchange(X, Y, Row1, Row2): Y stands right after X on the ring of Row1, and
% they have changed places in Row2.
exchange(X, Y, [X,Y,Z], [Y,X,Z]).
exchange(X, Y, [Z,X,Y], [Z,Y,X]).
exchange(X, Y, [Y,Z,X], [X,Z,Y]).

transpose([[A,B,C],[D,E,F],[G,H,I]],
          [[A,D,G],[B,E,H],[C,F,I]]).

% On a ring of three, nothing is more than one step away.
heuristic(ring_distance, State, H) :-
    final_state(Final),
    findall(D, distance_of_tile(State, Final, D), Ds),
    sum_list(Ds, H).
heuristic(misplaced, State, H) :-
    final_state(Final),
    findall(Tile, misplaced(State, Final, Tile), Tiles),
    length(Tiles, H).

distance_of_tile(State, Final, D) :-
    at(Row1, Column1, Tile, State),
    Tile \== vide,
    at(Row2, Column2, Tile, Final),
    D is min(1, abs(Row1 - Row2)) + min(1, abs(Column1 - Column2)).

misplaced(State, Final, Tile) :-
    at(Row, Column, Tile, State),
    Tile \== vide,
    \+ at(Row, Column, Tile, Final).

at(Row, Column, Tile, State) :-
    nth1(Row, State, Tiles),
    nth1(Column, Tiles, Tile).

print_state(State) :-
    forall(member(Row, State),
           ( forall(member(Tile, Row), print_tile(Tile)), nl )).

print_tile(vide) :- !, write(' .').
print_tile(Tile) :- write(' '), write(Tile).
