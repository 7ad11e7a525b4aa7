% games.pl: game engines as predicates, and questions about games.
%
% They work on the rules that are loaded: move/4, terminal/2, utility/3,
% heuristic/3, opponent/2, initial_state/1, initial_player/1.  J is the player to
% move in the state S; where one of them is unbound it is the initial one.
%
% What these predicates found is shown under the answer of a query.

%! negamax(?J, ?S, +P, +Pmax), negamax(?J, ?S, +P, +Pmax, -[Move, Value])
%  Value is what S is worth to J, to move in it, looking ahead from depth P to depth
%  Pmax, where the heuristic is taken; Pmax may be `inf`.  Move is the first in move
%  order that reaches it; `none` at that depth and where the game is over.  Every play
%  is followed: the reference for the other engines.
negamax(J, S, P, Pmax) :-
    negamax(J, S, P, Pmax, _).
negamax(J, S, P, Pmax, Result) :-
    '$game_search'(negamax, J, S, P, Pmax, Result).

%! minimax(?J, ?S, +P, +Pmax), minimax(?J, ?S, +P, +Pmax, -[Move, Value])
%  As negamax/5, by the book: one player's maximum, the other's minimum.
minimax(J, S, P, Pmax) :-
    minimax(J, S, P, Pmax, _).
minimax(J, S, P, Pmax, Result) :-
    '$game_search'(minimax, J, S, P, Pmax, Result).

%! alphabeta(?J, ?S, +P, +Pmax), alphabeta(?J, ?S, +P, +Pmax, -[Move, Value])
%  As negamax/5, the same value and move, with few of its nodes.
alphabeta(J, S, P, Pmax) :-
    alphabeta(J, S, P, Pmax, _).
alphabeta(J, S, P, Pmax, Result) :-
    '$game_search'(alphabeta, J, S, P, Pmax, Result).

%! maxn(?J, ?S, +P, +Pmax), maxn(?J, ?S, +P, +Pmax, -[Move, Values])
%  As negamax/5 where each of two or more players looks after their own: Values is a
%  list of Player-Value.
maxn(J, S, P, Pmax) :-
    maxn(J, S, P, Pmax, _).
maxn(J, S, P, Pmax, Result) :-
    '$game_search'(maxn, J, S, P, Pmax, Result).

%! expectiminimax(?J, ?S, +P, +Pmax), expectiminimax(?J, ?S, +P, +Pmax, -[Move, Value])
%  As negamax/5 where the player chance moves too, by probability/3: Value is a mean,
%  a fraction such as 7/12 where it is exact.
expectiminimax(J, S, P, Pmax) :-
    expectiminimax(J, S, P, Pmax, _).
expectiminimax(J, S, P, Pmax, Result) :-
    '$game_search'(expectiminimax, J, S, P, Pmax, Result).

'$game_search'(Engine, J, S, P, Pmax, [Move, Value]) :-
    '$game_start'(J, S),
    '$depth_left'(P, Pmax, Depth),
    '$game_engine'(Engine, J, S, Depth, Move, Value).

'$depth_left'(P, Pmax, Depth) :-
    must_be(integer, P),
    (   Pmax == inf
    ->  Depth = inf
    ;   must_be(integer, Pmax),
        (   P =< Pmax
        ->  Depth is Pmax - P
        ;   Depth = inf
        )
    ).

'$game_start'(J, S) :-
    (   nonvar(S)
    ->  true
        % A player who is named moves in the chosen state, whose turn it is or not.
    ;   '$chosen_start'(S, [J0])
    ->  ignore(J = J0)
    ;   '$initial_state'(S)
    ),
    (   nonvar(J)
    ->  true
    ;   '$contract'(to_move, 2)
    ->  call(to_move(S, J))
    ;   '$initial_player'(J)
    ).

%! pns(?J, ?S, -Value)
%  By proof-number search: Value is 1 if J wins, -1 if J loses, else 0.
pns(J, S, Value) :-
    '$game_start'(J, S),
    '$game_engine'(pns, J, S, inf, _, Value).

%! mcts(?J, ?S, -Move, -Value), mcts(?J, ?S, -Move, -Value, +Options)
%  By Monte Carlo tree search: the move tried most and its mean value for J.  Options
%  are playouts(N), seed(S), exploration(C), rave(K), cutoff(D), nodes(N),
%  time(Seconds), threads(N).  Where all choose at once: see simultaneous.pl.
mcts(J, S, Move, Value) :-
    mcts(J, S, Move, Value, []).
mcts(J, S, Move, Value, Options) :-
    (   '$at_once'
    ->  '$mcts_at_once'(J, S, Move, Value, Options)
    ;   '$game_start'(J, S),
        '$sample'(mcts, J, S, Options, Move, Value, _)
    ).

%! playouts(?J, ?S, +N, -Table), playouts(?J, ?S, +N, -Table, +Options)
%  What N plays at random from S come to: for each move of J, in move order,
%  played(Move, Plays, Mean, Wins, Draws, Losses).  Options are seed(S), cutoff(D),
%  nodes(N), time(Seconds), threads(N).
playouts(J, S, N, Table) :-
    playouts(J, S, N, Table, []).
playouts(J, S, N, Table, Options) :-
    must_be(positive_integer, N),
    '$game_start'(J, S),
    '$sample'(playouts, J, S, [playouts(N)|Options], _, _, Table).

%! solve_game(?J, ?S, -Value)
%  Value is the exact value of S for J, to move, by exhaustive solving.  Play that
%  need not end is worth 0.  Where chance moves it is a mean: a fraction as 7/12, or
%  a float if play can come back to a state.  Where all choose at once: see
%  simultaneous.pl.
solve_game(J, S, Value) :-
    (   '$at_once'
    ->  '$solve_at_once'(J, S, Value)
    ;   '$game_start'(J, S),
        '$solved'(J, S, true, Value, _, _)
    ).

%! best_move(?J, ?S, -Move)
%  Move is the first in move order that reaches the exact value.  Fails where the
%  game is over.
best_move(J, S, Move) :-
    '$game_start'(J, S),
    '$solved'(J, S, true, _, Move0, _),
    Move0 \== none,
    Move = Move0.

%! winning(?J, ?S), losing(?J, ?S), drawn(?J, ?S)
%  What exact play comes to for J, to move in S: more than nothing, less, or nothing;
%  where utilities of both add up to something, more than half of it, less, or half.
winning(J, S) :-
    '$game_start'(J, S),
    '$solved'(J, S, judge, Value, _, _),
    Value > 0.
losing(J, S) :-
    '$game_start'(J, S),
    '$solved'(J, S, judge, Value, _, _),
    Value < 0.
drawn(J, S) :-
    '$game_start'(J, S),
    '$solved'(J, S, judge, Value, _, _),
    Value =:= 0.

%! game_length(?J, ?S, -N)
%  With exact play the game is over after N moves: the winner takes the shortest
%  way, the loser the longest.  Fails where nobody can force an end.
game_length(J, S, N) :-
    '$game_start'(J, S),
    '$solved'(J, S, false, _, _, N),
    integer(N).

%! principal_variation(?J, ?S, +Depth, -Line)
%  Line is the list of moves that both players make, looking Depth moves ahead.
principal_variation(J, S, Depth, Line) :-
    '$game_start'(J, S),
    '$depth_left'(0, Depth, Left),
    '$game_line'(J, S, Left, Line).

%! grundy(?S, -G)
%  G is the Sprague-Grundy value of S in an impartial game where who cannot move
%  loses.  S may be a sum of games, as a list of states.
grundy(S, G) :-
    '$game_start'(J, S),
    (   '$sum_of_games'(S)
    ->  foldl('$add_grundy'(J), S, 0, G)
    ;   '$grundy'(J, S, G)
    ).

'$add_grundy'(J, S, G0, G) :-
    '$grundy'(J, S, G1),
    G is G0 xor G1.

% A list stands for a sum where the states of the game are no lists, or where they
% are lists of something else and it is a list of such lists.
'$sum_of_games'(Games) :-
    is_list(Games),
    '$initial_state'(S0), !,
    (   is_list(S0)
    ->  Games = [_|_],
        \+ ( member(Part, S0), is_list(Part) ),
        forall(member(Game, Games), is_list(Game))
    ;   true
    ).

%! reach(?J, ?S, ?Value, -Line), reach(?J, ?S, ?Value, -Line, +How)
%  Line is some line of play from S, all players helping, at whose end the game is
%  worth Value to J.  How is `depth_first`, the first in move order, or `shortest`.
reach(J, S, Value, Line) :-
    reach(J, S, Value, Line, depth_first).
reach(J, S, Value, Line, How) :-
    must_be(oneof([depth_first, shortest]), How),
    '$game_start'(J, S),
    '$reach'(J, S, Value, Line, How).

%! strategy(?J, ?S, -Tree)
%  Tree is a winning strategy for J, who is to move in S: play(Move, Answers), where
%  Answers has Answer-Tree for every answer of the opponent; `over` at the end.
%  Fails if J doesn't win.
strategy(J, S, Tree) :-
    '$game_start'(J, S),
    '$strategy'(J, S, Tree).

%! count_states(-N), count_states(?S, -N)
%  N states can be reached from S, with the initial player to move, S included; a
%  state with another player to move is another state.
count_states(N) :-
    count_states(_, N).
count_states(S, N) :-
    '$game_start'(J, S),
    '$count_states'(J, S, N).

%! count_plays(-N), count_plays(?S, -N)
%  There are N different plays from S, with the initial player to move, to an end.
count_plays(N) :-
    count_plays(_, N).
count_plays(S, N) :-
    '$game_start'(J, S),
    '$count_plays'(J, S, N).

%! perft(?S, +Depth, -N)
%  There are N sequences of Depth moves from S.
perft(S, Depth, N) :-
    must_be(nonneg, Depth),
    '$game_start'(J, S),
    '$perft'(J, S, Depth, N).

%! train(+Options, -Result), train(+Options, -Policy, -Result)
%  Learns the game by playing it.  Options:
%
%      games(N) seed(S)           N games, 10,000 if nothing is said
%      method(M)                  matchboxes, q, monte_carlo
%      against(Who) baseline(Who) self, random, optimal, Engine, Engine:Depth
%      reinforce(last) punish(true) beads(Win, Draw, Loss)
%      epsilon(E) alpha(A) decay(D) discount(G)
%
%  Result is the list [won(W), drawn(D), lost(L), right(R), choices(C), states(N)]:
%  what the likeliest moves win, draw and lose of 100 games against the baseline; in
%  how many of the C states where the choice matters they are optimal; states met.
%  Policy has state(Player, State, Moves) for each of them, sorted, with Moves a list
%  of Move-Probability; Player is unbound where it does not matter who moves.
%
%      ?- train([games(2000), method(q)], Result).
%      Result = [won(100), drawn(0), lost(0), right(12), choices(12), states(16)].
train(Options, Result) :-
    '$train'(Options, _, Result, false).
train(Options, Policy, Result) :-
    '$train'(Options, Policy, Result, true).
