%! initial_state(S), initial_state(Name, S)
%  A puzzle or a game starts in the state S, which is any term. Several of them are several
%  instances, which may have names.

%! final_state(S)
%  A puzzle is solved in the state S: a state, a pattern or a rule. Several are alternatives.

%! rule(Name, Cost, S1, S2)
%  In a puzzle the move Name leads from S1 to S2 at Cost, a number of 0 or more. Each answer
%  is a move, in the order in which engines try them.

%! heuristic(S, H)
%  In a puzzle: an estimate H of the cost left from S to a final state; a cheapest plan is
%  sure only if it never says too much. In a game: an estimate of S for the player to move.

%! heuristic(Name, S, H), heuristic(J, S, H)
%  In a puzzle: one of several heuristics, by name. In a game: an estimate of S for J, the
%  player to move.

%! initial_player(J)
%  J moves first in a game.

%! opponent(J, A)
%  A moves after J in a game; with more than two players, A is the next one.

%! move(J, M, S1, S2), move(M, S1, S2)
%  In a game J may play M in S1, giving S2. Each answer is a move, in the order in which
%  engines try them.

%! to_move(S, J)
%  J is to move in S, where the state of a game knows it; `chance` stands for dice.

%! terminal(J, S), terminal(S)
%  A game is over in S when J is to move. Without it, where there is no move.

%! utility(J, S, U), utility(S, U)
%  The exact worth U of the terminal state S for J. With two players what one wins the
%  other loses.

%! symmetry(S1, S2)
%  In a game S2 is S1 turned or mirrored, and worth the same. Engines search one of them.

%! probability(M, S, P)
%  How likely the move M of the player `chance` is in S, as 1/6.

%! utility_bounds(Low, High)
%  No utility and no heuristic of a game is less than Low or greater than High.

%! players(Js)
%  The players of a game in which all choose at once.

%! action(J, S, A)
%  J may choose A in S, in a game in which all choose at once.

%! payoff(As, Us)
%  The actions As, one of each player, pay Us, one number for each of them.

%! joint_move(As, S1, S2)
%  The actions As, one of each player, lead from the state S1 to S2.

%! strategy(Name, MyHistory, TheirHistory, Action)
%  What a player called Name does in a repeated game; histories are lists of actions, the
%  latest first.

%! model(Vars), model(Name, Vars)
%  A model posts constraints of library(clpfd) on its variables; Vars is a list of Name=Variable, where
%  a list or a term of variables may stand for one. Several names are several instances.

%! objective(Vars, min(E)), objective(Name, Vars, min(E))
%  Of the solutions of a model those are best in which the expression E is least, or with max(E)
%  greatest.

%! print_model(Vars)
%  Writes a solution of a model to the terminal. Without it, print_state(Vars) does.

%! print_state(S)
%  Writes the state S to the terminal, as the author likes it.

%! draw_state(S, Rows)
%  S in squares, for pictures: a list of rows, each a list of squares, which are terms,
%  '' for an empty one, or cell(Text, Looks) with fill(Colour), disc(Colour), ink(Colour), mark.

%! click(M, S, Square)
%  In the state S a click on Square means the move M. Square is Row-Column as draw_state/2 draws it,
%  counted from 1-1, the upper left one. A move may have several squares: the click that tells it
%  apart makes it. A move without one is in the list of moves alone.

%! actions(Moves)
%  All moves that there can be, in the order of their numbers as actions: for environments, in
%  Python, that learn by playing. Without it they are numbered as they are met.
