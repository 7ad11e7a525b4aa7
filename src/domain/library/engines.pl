% engines.pl: search engines as predicates.
%
% Each engine (astar, wastar, greedy, ucs, bfs, dfs, iddfs, idastar, beam) is a
% predicate of two, three and four arguments over the rules that are loaded:
%
%     astar(Path, Cost)  astar(S0, Path, Cost)  astar(S0, Path, Cost, Options)
%
% Path is the list of the names of the moves, Cost what they cost together.  With
% S0 unbound the initial states are tried in order.  An engine fails when it has
% proved that there is no plan; a limit raises resource_error(Limit).
%
% Options:
%
%     heuristic(Name)  the estimate Name of heuristic/3
%     instance(Name)   the initial state Name of initial_state/2
%     weight(W)        factor on the estimate (wastar)
%     width(K)         states kept at each depth (beam)
%     depth(D) nodes(N) time(Seconds) memory(MB)       limits
%     states(Ss)       Ss are the states along the path, S0 and the goal included
%     stats(Stats)     Stats lists expanded(N), generated(N), ... of the search, and
%                      optimal(O): true, unknown, or if(Condition) where the engine
%                      takes the word of a heuristic
%
% What these predicates found is shown under the answer of a query.

'$search'(Engine, S0, Path, Cost, Options) :-
    '$start'(S0, Options),
    '$engine'(Engine, S0, Path, Cost, Options).

% '$start'(S0, Options): S0 is given, or an initial state.
'$start'(S0, Options) :-
    (   '$option_instance'(Options, Name)
    ->  (   call(initial_state(Name, S0))
        *-> true
        ;   throw(error(existence_error(instance, Name), _))
        )
    ;   nonvar(S0)
    ->  '$no_name'(S0)
    ;   '$initial_state'(S0)
    *-> true
    ;   '$no_start'
    ).

% '$no_name'(S0): S0 is not the name of an instance in the place of its state.
% What has a move or is final is a state, whatever its name.
'$no_name'(S0) :-
    '$names_instance'(S0, _), !,
    format(string(Message),
           "~q is the name of an instance; ask initial_state(~q, S) for its state, or give the option instance(~q)",
           [S0, S0, S0]),
    throw(error(type_error(state, S0), context(_, Message))).
'$no_name'(_).

% '$names_instance'(S0, S): S0 is no state but the name of an instance, whose state is S.
'$names_instance'(S0, S) :-
    atomic(S0),
    '$contract'(initial_state, 2),
    '$contract'(rule, 4),
    catch(call(initial_state(S0, S)), _, fail),
    S \== S0,
    \+ catch(call(rule(_, _, S0, _)), _, fail),
    % A test such as \+ member(X, S) holds of any name.
    (   compound(S)
    ->  true
    ;   \+ catch(call(final_state(S0)), _, fail)
    ), !.

% A list that is none is for '$engine'/5 to complain about.
'$option_instance'(List, Name) :-
    nonvar(List),
    List = [Option|Options],
    (   nonvar(Option),
        Option = instance(Name0)
    ->  Name = Name0
    ;   '$option_instance'(Options, Name)
    ).

% '$initial_state'(S0): S0 is where goals without a start begin: the chosen start, or an initial state.
'$initial_state'(S0) :-
    '$chosen_start'(S, _), !,
    S0 = S.
'$initial_state'(S0) :-
    \+ '$contract'(initial_state, 2), !,
    call(initial_state(S0)).
'$initial_state'(S0) :-
    '$contract'(initial_state, 1),
    call(initial_state(S0)).
'$initial_state'(S0) :-
    call(initial_state(_, S0)).

%! enumerate(-Space), enumerate(?S0, -Space), enumerate(?S0, -Space, +Options)
%  Space is space(States, Depths, Terminal, Deepest): how many states can be
%  reached from S0, how many of them at each depth, how many have no successor,
%  and up to a hundred of the deepest.
enumerate(Space) :-
    enumerate(_, Space, []).
enumerate(S0, Space) :-
    enumerate(S0, Space, []).
enumerate(S0, Space, Options) :-
    '$start'(S0, Options),
    '$enumerate'(S0, Space, Options).

%! cheapest_plan(-Path, -Cost), cheapest_plan(?S0, -Path, -Cost), cheapest_plan(?S0, -Path, -Cost, +Options)
%  Path is a cheapest plan from S0, on backtracking every one: as lists of the
%  names of moves, in the order of the moves.  A plan ends at the first final state
%  it comes to and meets no state twice.  The search asks no heuristic, so that Cost
%  is proved.  Options: instance(Name), nodes(N), time(Seconds), memory(MB).
cheapest_plan(Path, Cost) :-
    cheapest_plan(_, Path, Cost, []).
cheapest_plan(S0, Path, Cost) :-
    cheapest_plan(S0, Path, Cost, []).
cheapest_plan(S0, Path, Cost, Options) :-
    '$start'(S0, Options),
    setup_call_cleanup(
        '$plans'(S0, Cost, Options, Plans),
        '$each_plan'(Plans, Path),
        '$forget_plans'(Plans)).

'$each_plan'(Plans, Path) :-
    '$next_plan'(Plans, Path0, More),
    (   More == true
    ->  (   Path = Path0
        ;   '$each_plan'(Plans, Path)
        )
    ;   Path = Path0
    ).

%! plan_count(-Count, -Cost), plan_count(?S0, -Count, -Cost), plan_count(?S0, -Count, -Cost, +Options)
%  There are Count cheapest plans from S0, each of Cost: as many as cheapest_plan/3
%  has answers, found without going through them.  Two plans are different if
%  somewhere the names of their moves differ, or the states these lead to.
plan_count(Count, Cost) :-
    plan_count(_, Count, Cost, []).
plan_count(S0, Count, Cost) :-
    plan_count(S0, Count, Cost, []).
plan_count(S0, Count, Cost, Options) :-
    '$start'(S0, Options),
    '$plan_count'(S0, Count, Cost, Options).
