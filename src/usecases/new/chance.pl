% A game with chance: a race of two walkers and a coin.
%
% Who is on goes two squares forward, or throws a coin: heads is four squares, tails
% one.  First on the last square wins.
%
% It runs as it is.  Change it piece by piece into a game of your own, and after each
% change look at what became of it:
%
%     zug check chance.pl     looks for mistakes
%     zug solve chance.pl     who wins how often, if both play well?
%     zug play chance.pl      play it
%     zug test chance.pl      runs the tests at the end
%     zug chance.pl           answers questions, as  move(ann, M, race(ann, choose, 0, 0), S).
%
% How to read it: names begin with a small letter, variables with a capital; _ is a
% variable that is of no interest.  :- means "if", a comma "and", \+ "not".  What
% ends with a full stop is a clause.


% --- 1. States, and the start: initial_state(S) --------------------------------
%
% A state is one term that holds all that moves can change.  Here it is
% race(J, What, Ann, Ben): J is on, What is `choose`, or `coin` while it is in the
% air; Ann and Ben are the squares they stand on.  What never changes is a fact.

last_square(9).

initial_state(race(ann, choose, 0, 0)).


% --- 2. The players, and chance -------------------------------------------------

initial_player(ann).

opponent(ann, ben).
opponent(ben, ann).

% to_move(S, J): J moves in S; where chance does, J is `chance`.
to_move(race(J, choose, _, _), J).
to_move(race(_, coin, _, _), chance).


% --- 3. The moves: move(J, Name, S1, S2) ----------------------------------------
%
% The player J may make the move Name in the state S1, which leads to S2.

move(J, walk, race(J, choose, A, B), S) :-
    forward(J, 2, A, B, S).
move(J, throw, race(J, choose, A, B), race(J, coin, A, B)).
move(chance, Side, race(J, coin, A, B), S) :-
    side(Side, Squares),
    forward(J, Squares, A, B, S).

side(heads, 4).
side(tails, 1).

% forward(J, Squares, A, B, S): J goes so far, at most to the last square, and the
% other one is on.
forward(ann, Squares, A, B, race(ben, choose, A1, B)) :-
    last_square(Last),
    A1 is min(Last, A + Squares).   % `is` calculates; `=` would leave it as it stands
forward(ben, Squares, A, B, race(ann, choose, A, B1)) :-
    last_square(Last),
    B1 is min(Last, B + Squares).

% probability(Name, S, P): how likely a move of chance is, as a fraction.
probability(heads, _, 1/2).
probability(tails, _, 1/2).


% --- 4. The end: terminal(J, S) and utility(J, S, U) ----------------------------

terminal(_, S) :- winner(S, _).

winner(race(_, _, Last, _), ann) :- last_square(Last).
winner(race(_, _, _, Last), ben) :- last_square(Last).

% utility(J, S, U): what the end S is worth for J.
utility(J, S, U) :-
    winner(S, W),
    ( W == J -> U = 1 ; U = -1 ).

utility_bounds(-1, 1).


% --- 5. A picture: print_state(S) writes a state --------------------------------

print_state(race(_, _, A, B)) :-
    print_track(ann, A),
    print_track(ben, B).

print_track(Name, Square) :-
    last_square(Last),
    format(" ~w ", [Name]),
    forall(between(0, Last, I), ( I =:= Square -> write(' @') ; write(' .') )),
    nl.


% --- 6. Tests: what must stay true while you change things ----------------------

:- begin_tests(race).

test(choices, all(Move == [walk, throw])) :-
    initial_state(S),
    move(ann, Move, S, _).

test(all_of_chance, true(Sum =:= 1)) :-
    findall(P, probability(_, race(ann, coin, 0, 0), P), Ps),
    sum_list(Ps, Sum).

test(sure_win, true(Move == walk)) :-
    best_move(ann, race(ann, choose, 7, 3), Move).

:- end_tests(race).
