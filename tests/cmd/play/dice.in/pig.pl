% Pig, a game of nerves with one die.
%
% Two players take turns.  Who is on throws the die as often as they like: every
% number but the 1 is added to the points of the turn.  A 1 ends the turn, and its
% points are lost.  Who holds keeps them, and the turn is over.  First to the target
% wins.
%
% A state is pig(J, Turn, A, B, Next): J is on and has Turn points so far, the players
% a and b have A and B kept; Next is `decide` or `throw`, where the die decides.
%
% Things to try: when should one hold?  `zug solve rules/pig.pl` gives the value of
% the game, V for a win of 1 and a loss of -1, so a wins with probability (1+V)/2.
% Known: with 100 points, who begins wins 53 of 100 games (T. Neller and C. Presser,
% 2004).  Then play: `zug play rules/pig.pl --against mcts:500`.

target(20).             % points to be kept

initial_state(pig(a, 0, 0, 0, decide)).

initial_player(a).

opponent(a, b).
opponent(b, a).

to_move(pig(_, _, _, _, throw), chance) :- !.
to_move(pig(J, _, _, _, decide), J).

% Who has enough with the points of the turn holds.
move(J, throw, pig(J, Turn, A, B, decide), pig(J, Turn, A, B, throw)) :-
    points(J, A, B, Kept),
    target(Target),
    Kept + Turn < Target.
move(J, hold, pig(J, Turn, A, B, decide), pig(O, 0, A1, B1, decide)) :-
    Turn > 0,
    keep(J, Turn, A, B, A1, B1),
    opponent(J, O).
move(chance, Number, pig(J, Turn, A, B, throw), S) :-
    between(1, 6, Number),
    falls(Number, J, Turn, A, B, S).

falls(1, J, _, A, B, pig(O, 0, A, B, decide)) :- !,
    opponent(J, O).
falls(Number, J, Turn, A, B, pig(J, More, A, B, decide)) :-
    More is Turn + Number.

probability(_, _, 1/6).

points(a, A, _, A).
points(b, _, B, B).

% keep(J, Turn, A, B, A1, B1): the points after J has kept those of the turn.
keep(a, Turn, A, B, A1, B) :- A1 is A + Turn.
keep(b, Turn, A, B, A, B1) :- B1 is B + Turn.

terminal(_, S) :- winner(S, _).

winner(pig(_, _, A, B, _), J) :-
    target(Target),
    points(J, A, B, Kept),
    Kept >= Target.

utility(J, S, U) :-
    winner(S, W),
    ( W == J -> U = 1 ; U = -1 ).

utility_bounds(-1, 1).

% How far J is ahead, points of the turn included.
heuristic(J, S, U) :- winner(S, _), !,
    utility(J, S, U).
heuristic(J, pig(On, Turn, A, B, _), H) :-
    points(J, A, B, Own),
    opponent(J, O),
    points(O, A, B, Other),
    target(Target),
    ( On == J -> Ahead is Own + Turn - Other ; Ahead is Own - Other - Turn ),
    H is max(-1, min(1, Ahead / Target)).

print_state(pig(J, Turn, A, B, Next)) :-
    print_points(a, A),
    print_points(b, B),
    print_turn(Next, J, Turn).

print_points(J, Points) :-
    target(Target),
    Full is min(Points, Target),
    Empty is Target - Full,
    format(" ~w |", [J]),
    forall(between(1, Full, _), write(#)),
    forall(between(1, Empty, _), write('.')),
    format("| ~w~n", [Points]).

print_turn(decide, J, Turn) :-
    format(" ~w has ~w points in this turn~n", [J, Turn]).
print_turn(throw, J, Turn) :-
    format(" ~w throws for more than ~w~n", [J, Turn]).
