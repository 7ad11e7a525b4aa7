% A game for two: three in a row on a strip of squares.
%
% x and o in turn put their sign on a free square.  Who has three beside each other
% wins; a full strip without is a draw.
%
% It runs as it is.  Change it piece by piece into a game of your own, and after each
% change look at what became of it:
%
%     zug check game.pl       looks for mistakes
%     zug solve game.pl       who wins, if both play well?
%     zug play game.pl        play it
%     zug test game.pl        runs the tests at the end
%     zug game.pl             answers questions, as  best_move(x, [x,-,o,-,-,-], M).
%
% How to read it: names begin with a small letter, variables with a capital; _ is a
% variable that is of no interest.  :- means "if", a comma "and", \+ "not".  What
% ends with a full stop is a clause.


% --- 1. States, and the start: initial_state(S) --------------------------------
%
% A state is one term that holds all that moves can change.  Here it is the list of
% squares: x, o, or - for a free one.

initial_state([-,-,-,-,-,-]).


% --- 2. The players -------------------------------------------------------------

% initial_player(J): J begins.  opponent(J, A): A moves after J.
initial_player(x).

opponent(x, o).
opponent(o, x).


% --- 3. The moves: move(J, Name, S1, S2) ----------------------------------------
%
% The player J may make the move Name in the state S1, which leads to S2.  One clause
% may stand for many moves: each of its answers is one.
% Here a move is the number of the square.

move(J, Place, S1, S2) :-
    nth1(Place, S1, -, Others),
    nth1(Place, S2, J, Others).


% --- 4. The end: terminal(J, S) and utility(J, S, U) ----------------------------

% terminal(J, S): the game is over in S, with J to move.
terminal(_, S) :- three(_, S).
terminal(_, S) :- \+ three(_, S), \+ member(-, S).

% three(J, S): J has three beside each other.
three(J, S) :-
    opponent(J, _),
    append(_, [J,J,J|_], S), !.

% utility(J, S, U): what the end S is worth for J.  Here one player wins what the
% other loses.
utility(J, S, 100)  :- three(J, S), !.
utility(J, S, -100) :- opponent(J, A), three(A, S), !.
utility(_, _, 0).


% --- 5. An estimate, for games that are too long: heuristic(J, S, H) ------------
%
% How good S looks for J, the player to move, before the end is known.
% Here: own signs beside each other, less those of the opponent.

heuristic(J, S, H) :-
    opponent(J, A),
    pairs(J, S, Own),
    pairs(A, S, Other),
    H is Own - Other.

pairs(J, S, Count) :-
    aggregate_all(count, append(_, [J,J|_], S), Count).


% --- 6. A picture: print_state(S) writes a state --------------------------------

print_state(S) :-
    forall(member(Square, S), format(" ~w", [Square])),
    nl.


% --- 7. Tests: what must stay true while you change things ----------------------

:- begin_tests(strip).

test(every_free_square, all(Place == [2,4,5,6])) :-
    move(o, Place, [x,-,o,-,-,-], _).

test(three_win, true(U == 100)) :-
    utility(x, [o,x,x,x,o,-], U).

test(winning_move, true(M == 4)) :-
    best_move(x, [o,x,x,-,o,-], M).

:- end_tests(strip).
