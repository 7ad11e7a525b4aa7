% Leap-frog, or sheep and goats.
%
% Green frogs sit on the left and look to the right, brown frogs sit on the right
% and look to the left, and one stone between them is free.  A frog moves to the
% free stone in front of it, or leaps over one frog.  Let the two sides change
% places.  With n frogs on each side it takes n * (n + 2) moves.  (E. Lucas,
% "Recreations mathematiques" 2, 1883.)
%
% A state is the list of the stones: green, brown or free.
%
% Instances and their shortest solutions:
%
%     two  8 moves      three  15 moves      five  35 moves
%     uneven  11 moves, three against two
%
% Things to try: count the positions that can be reached, and the dead ends.

initial_state(two,    [green,green,free,brown,brown]).
initial_state(three,  [green,green,green,free,brown,brown,brown]).
initial_state(five,   [green,green,green,green,green,free,
                       brown,brown,brown,brown,brown]).
initial_state(uneven, [green,green,green,free,brown,brown]).

% All brown frogs come before the free stone, and all green ones after it.
final_state(Stones) :-
    append(Left, [free|Right], Stones), !,
    \+ member(green, Left),
    \+ member(brown, Right).

rule(Move, 1, S1, S2) :-
    append(Before, Stones1, S1),
    hop(Move, Stones1, Stones2),
    append(Before, Stones2, S2).

hop(green_steps, [green,free|Stones],   [free,green|Stones]).
hop(green_leaps, [green,X,free|Stones], [free,X,green|Stones]) :- X \== free.
hop(brown_steps, [free,brown|Stones],   [brown,free|Stones]).
hop(brown_leaps, [free,X,brown|Stones], [brown,X,free|Stones]) :- X \== free.

% Each green frog to the left of a brown one must still pass it; a leap makes one
% such pair fewer.
heuristic(Stones, H) :-
    findall(x, facing(Stones), Pairs),
    length(Pairs, H).

facing(Stones) :-
    append(_, [green|Right], Stones),
    member(brown, Right).

print_state(Stones) :-
    forall(member(Stone, Stones), ( stone(Stone, Sign), write(Sign) )),
    nl.

stone(green, ' >').
stone(brown, ' <').
stone(free,  ' .').

% The same in pictures: a row of stones.
draw_state(Stones, [Row]) :-
    findall(Square, ( member(Stone, Stones), draw_stone(Stone, Square) ), Row).

draw_stone(green, cell(>, [disc(green)])).
draw_stone(brown, cell(<, [disc(brown)])).
draw_stone(free,  '').
