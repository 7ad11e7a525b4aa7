% contrast.pl: why a plan does not go another way, why there is none, and why a position is not won.

%! plan_through(?State), plan_through(?S0, ?State)
%  A cheapest plan from the initial state, or from S0, passes through a state that
%  unifies with State.  why_not(plan_through(State)) says what the cheapest plan through
%  one costs, and how much more that is.
plan_through(State) :-
    plan_through(_, State).
plan_through(S0, State) :-
    '$contrast_optimal'(S0, state(State)).

%! solvable, solvable(?S0)
%  There is a plan from the initial state, or from S0.  why_not(solvable) says why there is
%  none: the smallest part of the states in which there is none either, or an invariant.
solvable :-
    solvable(_).
solvable(S0) :-
    '$contrast_start'(S0, S),
    ucs(S, _, _), !.

%! plan_using(?Move), plan_using(?S0, ?Move)
%  The same of a plan in which a move is made that unifies with Move.
plan_using(Move) :-
    plan_using(_, Move).
plan_using(S0, Move) :-
    '$contrast_optimal'(S0, move(Move)).

'$contrast_optimal'(S0, What) :-
    '$contrast_start'(S0, S),
    '$contrast'(S, What, Found),
    (   Found = limit(_)
    ->  throw(error(resource_error(states), _))
    ;   Found = plans(Best, _, Best, _, What)
    ).

% '$contrast_start'(S0, S): S is the state S0, that of the instance of this name, or the first
% initial one.
'$contrast_start'(S0, S) :-
    (   var(S0)
    ->  once('$initial_state'(S0)),
        S = S0
    ;   '$names_instance'(S0, S)
    ->  true
    ;   S = S0
    ).

% '$contrast'(S0, What, Found): the cheapest plan from S0, and the cheapest one that meets
% What, state(State) or move(Move): plans(Cost, Moves, MetCost, MetMoves, Met), missed(Cost,
% Moves, Met) if none does, where Met is yes if a path does, none if there is no plan at all,
% limit(N) after N states.
%
% A uniform-cost search (Dijkstra 1959) over pairs of a state and what of What was met on the
% way to it.
'$contrast'(S0, What, Found) :-
    '$contrast_meets'(What, start, S0, no, Met),
    singleton_heap(Open, 0, node(S0, Met, [])),
    empty_assoc(Closed),
    '$contrast_limit'(Limit),
    '$contrast_search'(Open, Closed, Limit, What, no, no, Found).

'$contrast_limit'(100000).

'$contrast_search'(Open, Closed, Left, What, Best, Ever, Found) :-
    (   get_from_heap(Open, G, node(S, Met, Moves), Open1)
    ->  '$contrast_key'(Met, S, Key),
        (   get_assoc(Key, Closed, _)
        ->  '$contrast_search'(Open1, Closed, Left, What, Best, Ever, Found)
        ;   Left =:= 0
        ->  '$contrast_limit'(Limit),
            Found = limit(Limit)
        ;   put_assoc(Key, Closed, true, Closed1),
            Left1 is Left - 1,
            '$contrast_visit'(node(G, S, Met, Moves), What, Best, Best1, Found0),
            '$contrast_ever'(Met, Ever, Ever1),
            (   nonvar(Found0)
            ->  Found = Found0
            ;   '$contrast_open'(S, G, Met, Moves, What, Open1, Open2),
                '$contrast_search'(Open2, Closed1, Left1, What, Best1, Ever1, Found)
            )
        )
    ;   Best = best(Cost, Plan)
    ->  Found = missed(Cost, Plan, Ever)
    ;   Found = none
    ).

'$contrast_ever'(no, Ever, Ever) :- !.
'$contrast_ever'(met(_), _, yes).

'$contrast_key'(Met, S, Key) :-
    (   Met == no
    ->  Flag = 0
    ;   Flag = 1
    ),
    copy_term_nat(Flag-S, Key),
    numbervars(Key, 0, _).

% The first final state is the end of a cheapest plan, the first behind What that of a
% cheapest one that meets it.
'$contrast_visit'(node(G, S, Met, Moves), _, Best0, Best, Found) :-
    (   \+ call(final_state(S))
    ->  Best = Best0
    ;   reverse(Moves, Plan),
        (   Best0 == no
        ->  Best = best(G, Plan)
        ;   Best = Best0
        ),
        (   Met = met(What),
            Best = best(Cost, First)
        ->  Found = plans(Cost, First, G, Plan, What)
        ;   true
        )
    ).

'$contrast_open'(S, G, Met, Moves, What, Open0, Open) :-
    findall(G1-node(S1, Met1, [Move|Moves]),
            ( call(rule(Move, Step, S, S1)),
              G1 is G + Step,
              '$contrast_meets'(What, made(Move), S1, Met, Met1) ),
            Nodes),
    foldl('$contrast_add', Nodes, Open0, Open).

'$contrast_add'(G-Node, Open0, Open) :-
    add_to_heap(Open0, G, Node, Open).

'$contrast_meets'(What, Move, S, Met0, Met) :-
    (   Met0 = met(_)
    ->  Met = Met0
    ;   copy_term_nat(What, Copy),
        '$contrast_is'(Copy, Move, S)
    ->  Met = met(Copy)
    ;   Met = no
    ).

'$contrast_is'(state(S), _, S).
'$contrast_is'(move(Move), made(Move), _).

% '$contrasted'(Goal): what there is to say of why Goal is not so, which is kept.
'$contrasted'(Goal) :-
    nonvar(Goal),
    '$contrast_goal'(Goal, Who, S, What),
    functor(Goal, Name, Arity),
    \+ '$contract'(Name, Arity),
    '$contrast_words'(Who, S, What, Title, Notes),
    '$explained'(Title, Notes).

'$contrast_goal'(plan_through(State), nobody, _, state(State)).
'$contrast_goal'(plan_through(S0, State), nobody, S0, state(State)).
'$contrast_goal'(plan_using(Move), nobody, _, move(Move)).
'$contrast_goal'(plan_using(S0, Move), nobody, S0, move(Move)).
'$contrast_goal'(solvable, start, _, plan).
'$contrast_goal'(solvable(S0), start, S0, plan).
'$contrast_goal'(Goal, player(J), S, What) :-
    '$play_goal'(Goal, J, S, What).

'$contrast_words'(nobody, S0, What, Title, Notes) :-
    '$contract'(rule, 4),
    '$contract'(final_state, 1),
    '$contrast_start'(S0, S),
    '$contrast'(S, What, Found),
    '$contrast_met'(What, Met),
    '$contrast_title'(Found, Met, Title, Notes).
'$contrast_words'(start, S0, plan, Title, [Note|Notes]) :-
    '$contract'(rule, 4),
    '$contract'(final_state, 1),
    '$contrast_start'(S0, S),
    (   call(final_state(S))
    ->  Title = 'there is a plan',
        Note = 'the state is final already: no move is needed',
        Notes = []
    ;   '$contrast_stuck'(S, Note)
    ->  Title = 'there is no plan',
        Notes = []
    ;   '$obstacle'(S, Seen),
        '$contrast_unsolved'(Seen, S, Title, [Note|Notes])
    ).
'$contrast_words'(player(J), S, What, Title, Notes) :-
    (   '$at_once'
    ->  '$play_at_once'(Title, Notes)
    ;   ( '$contract'(move, 4) ; '$contract'(move, 3) )
    ->  '$game_start'(J, S),
        '$play_words'(J, S, What, Title, Notes)
    ).

% '$contrast_stuck'(S, Note): no move leads from S, which is not final, to another state.
'$contrast_stuck'(S, Note) :-
    \+ ( call(rule(_, _, S, S1)), S1 \== S ),
    (   \+ call(rule(_, _, S, _))
    ->  Note = 'no move can be made in this state, and it is not final'
    ;   Note = 'each move leads back to this state, and it is not final'
    ).

% '$contrast_unsolved'(Seen, S, Title, Notes): what '$obstacle'/2 has seen, or else a search.
'$contrast_unsolved'(shown(Why), _, 'there is no plan', [Why]) :- !.
'$contrast_unsolved'(Seen, S, Title, Notes) :-
    '$contrast_limit'(Limit),
    catch((   ucs(S, Moves, Cost, [nodes(Limit)])
          ->  Found = plan(Moves, Cost)
          ;   Found = none
          ),
          error(resource_error(_), _),
          Found = limit(Limit)),
    '$contrast_solved'(Found, Seen, Title, Notes).

% '$contrast_solved'(Found, Seen, Title, Notes): what a search came to.
'$contrast_solved'(plan(Moves, Cost), _, 'there is a plan', [Note]) :-
    '$contrast_plan'('the cheapest plan', Cost, Moves, Note).
'$contrast_solved'(none, nothing, 'there is no plan', [Note]) :-
    Note = 'no part of the states shows it by itself: all that can be reached were tried'.
'$contrast_solved'(none, unseen(Why), 'there is no plan', [Note, Why]) :-
    Note = 'all states that can be reached were tried; whether a part of them shows it is not known'.
'$contrast_solved'(limit(N), Seen, Title, Notes) :-
    format(atom(Title), "whether there is a plan is undecided after ~D states", [N]),
    (   Seen = unseen(Why)
    ->  Notes = [Why]
    ;   Notes = []
    ).

'$contrast_met'(state(State), Met) :-
    '$contrast_short'(State, Text),
    atom_concat('goes through ', Text, Met).
'$contrast_met'(move(Move), Met) :-
    '$contrast_short'(Move, Text),
    atom_concat('has the move ', Text, Met).

'$contrast_title'(none, _, 'there is no plan at all', []).
'$contrast_title'(limit(N), Met, Title, []) :-
    format(atom(Title), "whether a plan ~w is undecided after ~D states", [Met, N]).
'$contrast_title'(missed(Cost, Moves, Ever), Met, Title, [Note]) :-
    (   Ever == yes
    ->  Why = ': from there no final state can be reached'
    ;   Why = ': no path from the start does'
    ),
    format(atom(Title), "no plan ~w~w", [Met, Why]),
    '$contrast_plan'('the cheapest plan', Cost, Moves, Note).
'$contrast_title'(plans(Best, Moves, Cost, Others, _), Met, Title, Notes) :-
    '$contrast_plan'('the cheapest that does', Cost, Others, Note),
    (   Cost =< Best
    ->  format(atom(Title), "a cheapest plan ~w", [Met]),
        Notes = [Note]
    ;   More is Cost - Best,
        format(atom(Title), "no cheapest plan ~w: the cheapest that does costs ~w, ~w more",
               [Met, Cost, More]),
        '$contrast_plan'('the cheapest plan', Best, Moves, Note0),
        Notes = [Note0, Note]
    ).

'$contrast_plan'(Which, Cost, Moves, Note) :-
    '$contrast_moves'(Moves, 40, Texts),
    atomic_list_concat(Texts, ', ', Text),
    format(atom(Note), "~w, cost ~w: ~w", [Which, Cost, Text]).

'$contrast_moves'([], _, []).
'$contrast_moves'([Move|Moves], Left, Texts) :-
    (   Left =:= 0
    ->  Texts = ['…']
    ;   format(atom(Text), "~W", [Move, [quoted(true), numbervars(true), max_depth(30)]]),
        Texts = [Text|Texts1],
        Left1 is Left - 1,
        '$contrast_moves'(Moves, Left1, Texts1)
    ).

'$contrast_short'(Term, Text) :-
    copy_term_nat(Term, Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    format(atom(Text), "`~W`", [Copy, [quoted(true), numbervars(true), max_depth(30)]]).
