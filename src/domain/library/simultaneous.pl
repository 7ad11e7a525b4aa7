% simultaneous.pl: games in which all choose at once, as predicates.
%
% They work on the rules that are loaded: players/1, action/3, and payoff/2, or, for a
% game of several stages, joint_move/3, terminal/1 or terminal/2, and utility/3.
%
% A strategy is a list of Action-Probability, a probability an integer or a fraction
% N/D.  Strategies and values are in the order of the players.

%! nash(-Strategies, -Values), nash(-Strategies, -Values, +Options)
%  Strategies are an equilibrium that pays Values.  Two players whose payoffs add to
%  zero: one equilibrium, and Values are the value of the game.  Other games of two:
%  the pure ones on backtracking, then a mixed one.  More players: the pure ones.
%
%  Options:
%
%      all              all extreme equilibria of two players
%      eliminate(Kind)  remove dominated actions first; Kind is strict or weak
%      gains(Gains)     Gains are what each player's best other action gains
%      state(S)         the state; without it the first initial one, if there is any
%      learn(How)       let two players learn; How is regret or fictitious
%      iterations(N)    for N rounds
%      seed(S)          from actions drawn, not from mixed strategies
%      exploitability(E)        E is what best replies gain on average
%      nodes(N) time(Seconds)   limits
nash(Strategies, Values) :-
    nash(Strategies, Values, []).
nash(Strategies, Values, Options) :-
    must_be(list, Options),
    '$nash_state'(Options, State),
    '$nash'(State, Options, Equilibria),
    member(equilibrium(Strategies, Values, Gains, Exploitability), Equilibria),
    '$nash_option'(Options, gains, Gains),
    '$nash_option'(Options, exploitability, Exploitability).

%! dominated(?J, ?A), dominated(?J, ?A, -By), dominated(?J, ?A, -By, +Kind)
%  The action A of player J is dominated by the strategy By, when actions that are
%  dominated are removed again and again; in the order of their removal.  Kind is
%  strict, or weak.
dominated(J, A) :-
    dominated(J, A, _).
dominated(J, A, By) :-
    dominated(J, A, By, strict).
dominated(J, A, By, Kind) :-
    '$nash_state'([], State),
    '$dominated'(State, Kind, Removed),
    member(removed(J, A, By), Removed).

%! solve_game(?J, ?S, -Value)
%  In a game in which all choose at once Value is what S is worth to the player J, each
%  one on backtracking: the value of a game of two whose payoffs add to zero, else what
%  the first equilibrium of every stage pays.
'$solve_at_once'(J, S, Value) :-
    (   nonvar(S)
    ->  State = [S]
    ;   '$nash_state'([], State),
        ( State = [S] -> true ; true )
    ),
    '$nash'(State, [], [equilibrium(_, Values, _, _)|_]),
    call(players(Players)),
    '$worth_to'(Players, Values, J, Value).

%! mcts(?J, ?S, -Action, -Value), mcts(?J, ?S, -Action, -Value, +Options)
%  In a game in which all choose at once: by decoupled UCT the action that the player J
%  tried most and what plays came to for J, for each player on backtracking.  Options are
%  playouts(N), seed(S), exploration(C), nodes(N), time(Seconds), and mixture(Ps): Ps
%  lists Action-Share, how often J tried each action as a part of 1.
'$mcts_at_once'(J, S, Action, Value, Options) :-
    (   nonvar(S)
    ->  State = [S]
    ;   '$nash_state'([], State),
        ( State = [S] -> true ; true )
    ),
    '$try_actions'(State, Options, Tried),
    member(tried(J, Action, Value, Mixture), Tried),
    '$nash_option'(Options, mixture, Mixture).

'$worth_to'([J|_], [Value|_], J, Value).
'$worth_to'([_|Players], [_|Values], J, Value) :-
    '$worth_to'(Players, Values, J, Value).

%! match(+Player1, +Player2, -Score, +Options)
%  Two players meet in the game of payoff/2, again and again.  A player is uniform,
%  fixed(Action), history(K), mixture(Ks), nash, counter(Player), or the name of one
%  that strategy(Name, Own, Others, Action) describes.  Score is
%  score(Won1, Drawn, Won2, [Payoff1, Payoff2]): rounds won by each, and what was paid.
%
%  Options:
%
%      to(N)            until one has won N rounds (50), 100 N rounds at most
%      rounds(N)        N rounds
%      seed(S)          the seed of what is drawn (1)
%      matches(N)       in a tournament: matches of every two (10)
%      nodes(N) time(Seconds)   limits; nodes are rounds
match(Player1, Player2, Score, Options) :-
    '$match'(Player1, Player2, Score, Options).

%! tournament(+Players, -Standings), tournament(+Players, -Standings, +Options)
%  Every player meets every other one.  Standings lists standing(Player, Won, Drawn,
%  Lost, Payoff), who won most matches first.  A match has 200 rounds, unless to(N) or
%  rounds(N) say otherwise.
tournament(Players, Standings) :-
    tournament(Players, Standings, []).
tournament(Players, Standings, Options) :-
    must_be(list, Players),
    '$tournament'(Players, Standings, Options).

% The state asked for, or the first one; `[]` in a list of none for no state.
'$nash_state'(Options, State) :-
    (   memberchk(state(S), Options)
    ->  State = [S]
    ;   ( '$contract'(initial_state, 1) ; '$contract'(initial_state, 2) ),
        '$initial_state'(S)
    ->  State = [S]
    ;   State = []
    ).

'$nash_option'(Options, Name, Value) :-
    (   '$nash_asked'(Options, Name, Asked)
    ->  Asked = Value
    ;   true
    ).

'$nash_asked'([Option|Options], Name, Asked) :-
    (   compound(Option),
        Option =.. [Name, Asked0]
    ->  Asked = Asked0
    ;   '$nash_asked'(Options, Name, Asked)
    ).
