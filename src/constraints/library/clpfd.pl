% clpfd.pl: constraints over integers, above the predicates in Rust.
%
% What variables mean and how far constraints reach is as in library(clpfd) of SWI-Prolog (M. Triska,
% The finite domain constraint solver of SWI-Prolog, FLOPS 2012).

%! label(+Vars)
%  Gives the variables values, from the first on, each its smallest value first.
%  ?- X in 1..2, label([X]).
%  X = 1.
label(Vars) :-
    labeling([], Vars).

%! indomain(?Var)
%  Gives a variable each of its values, in ascending order.
%  ?- X in 1..2, indomain(X).
%  X = 1.
indomain(Var) :-
    labeling([], [Var]).

%! labeling(+Options, +Vars)
%  Gives the variables values. Options say which variable is next (leftmost, ff, ffc, min,
%  max, random_variable(Seed)), which value (up, down, random_value(Seed)), how it is split
%  (step, enum, bisect), and in which order solutions come: min(Expr), max(Expr).
%  ?- X in 1..2, labeling([down], [X]).
%  X = 2.
labeling(Options, Vars) :-
    must_be(list, Options),
    (   '$fd_noted_label'
    ->  true
    ;   '$labeling'(Options, Vars),
        '$fd_options'(Options, Options, default(leftmost), Selection, default(up), Order,
                      default(step), Choice, Optimised, Consistency),
        '$fd_labeling'(Optimised, Vars, l(Selection, Order, Choice, Consistency))
    ).

'$fd_options'([], _, S, Selection, O, Order, C, Choice, [], ground) :-
    arg(1, S, Selection),
    arg(1, O, Order),
    arg(1, C, Choice).
'$fd_options'([Option|Options], All, S0, S, O0, O, C0, C, Optimised, Consistency) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   '$fd_selection'(Option)
    ->  '$fd_override'(S0, Option, All, S1),
        '$fd_options'(Options, All, S1, S, O0, O, C0, C, Optimised, Consistency)
    ;   '$fd_order'(Option)
    ->  '$fd_override'(O0, Option, All, O1),
        '$fd_options'(Options, All, S0, S, O1, O, C0, C, Optimised, Consistency)
    ;   '$fd_choice'(Option)
    ->  '$fd_override'(C0, Option, All, C1),
        '$fd_options'(Options, All, S0, S, O0, O, C1, C, Optimised, Consistency)
    ;   '$fd_optimised'(Option)
    ->  Optimised = [Option|Rest],
        '$fd_options'(Options, All, S0, S, O0, O, C0, C, Rest, Consistency)
    ;   domain_error(labeling_option, Option)
    ).

'$fd_override'(default(_), Option, _, user(Option)).
'$fd_override'(user(Before), Option, All, _) :-
    (   Before == Option
    ->  domain_error(nonrepeating_labeling_options, All)
    ;   domain_error(consistent_labeling_options, All)
    ).

'$fd_selection'(leftmost).
'$fd_selection'(ff).
'$fd_selection'(ffc).
'$fd_selection'(min).
'$fd_selection'(max).
'$fd_selection'(random_variable(Seed)) :-
    must_be(integer, Seed),
    set_random(seed(Seed)).

'$fd_order'(up).
'$fd_order'(down).
'$fd_order'(random_value(Seed)) :-
    must_be(integer, Seed),
    set_random(seed(Seed)).

'$fd_choice'(step).
'$fd_choice'(enum).
'$fd_choice'(bisect).

'$fd_optimised'(min(_)).
'$fd_optimised'(max(_)).

% Options for optimisation: a variable for each expression.
'$fd_labeling'([], Vars, L) :-
    '$fd_names'(L, Selection, Order, Choice),
    '$fd_label'(Choice, Vars, Selection, Order, none).
'$fd_labeling'([O|Os], Vars, L) :-
    '$fd_expressions'([O|Os], Singles),
    '$fd_best_first'(Singles, Vars, L).

'$fd_names'(l(S, O, Choice, _), Selection, Order, Choice) :-
    functor(S, Selection, _),
    (   Choice == bisect,
        O = random_value(_)
    ->  Order = O
    ;   functor(O, Order, _)
    ).

'$fd_expressions'([], []).
'$fd_expressions'([Option|Options], [Single|Singles]) :-
    Option =.. [Direction, Expression],
    '$fd_integer_unknowns'([Var]),
    '#='(Var, Expression),
    Single =.. [Direction, Var],
    '$fd_expressions'(Options, Singles).

% Solutions by the value of the first expression, and among those of one value by the others.
'$fd_best_first'([], Vars, L) :-
    '$fd_labeling'([], Vars, L).
'$fd_best_first'([Single|Singles], Vars, L) :-
    Single =.. [Direction, Var],
    Best = best(none),
    '$fd_extremum'(Best, Direction, Var, Vars, L),
    arg(1, Best, best(Value)),
    (   '#='(Var, Value),
        '$fd_best_first'(Singles, Vars, L)
    ;   '$fd_worse'(Direction, Var, Value),
        '$fd_best_first'([Single|Singles], Vars, L)
    ).

'$fd_worse'(min, Var, Value) :-
    '#>'(Var, Value).
'$fd_worse'(max, Var, Value) :-
    '#<'(Var, Value).

% Branch and bound: each solution has the next ones be better.
'$fd_extremum'(Best, Direction, Var, Vars, L) :-
    '$fd_names'(L, Selection, Order, Choice),
    (   '$fd_label'(Choice, Vars, Selection, Order, b(Best, Direction, Var)),
        must_be(integer, Var),
        nb_setarg(1, Best, best(Var)),
        fail
    ;   true
    ).

% A search over a model: Goal posts the constraints of the list Model. Best is best(Value) of the best solution so far, or
% best(none); at each answer Value is its value. An objective that is `value(E, N)` is met where E is N.
'$fd_search'(Goal, none, Model, L, _, none) :-
    call(Goal),
    '$fd_model'(Model, Vars),
    '$fd_names'(L, Selection, Order, Choice),
    '$fd_label'(Choice, Vars, Selection, Order, none),
    '$fd_decided'.
'$fd_search'(Goal, objective(ObjectiveGoal, Objective, Known), Model, L, Best, Value) :-
    call(Goal),
    '$fd_model'(Model, Vars),
    '$fd_aim'(ObjectiveGoal, Objective, Direction, Value),
    '$fd_names'(L, Selection, Order, Choice),
    (   integer(Known)
    ->  Value = Known,
        '$fd_label'(Choice, Vars, Selection, Order, none),
        '$fd_decided'
    ;   Bound = b(Best, Direction, Value),
        '$fd_label'(Choice, Vars, Selection, Order, Bound),
        '$fd_bounded_aim'(Value),
        '$fd_towards'(Direction, Towards),
        (   '$fd_label'(step, [Value], leftmost, Towards, Bound),
            '$fd_decided'
        ->  nb_setarg(1, Best, best(Value))
        )
    ).

% Whether Given is a solution of a model, and its Value. It is posted without Given, which tests of what is known in it must
% not see.
'$fd_solution'(Goal, Objective, Model, Given, Value) :-
    '$fd_posted'(Goal, Objective, Model, Direction, Value),
    Model = Given,
    (   Objective == none
    ->  true
    ;   arg(3, Objective, Known),
        integer(Known)
    ->  Value = Known
    ;   '$fd_bounded_aim'(Value),
        '$fd_towards'(Direction, Towards),
        '$fd_label'(step, [Value], leftmost, Towards, none)
    ),
    '$fd_decided'.

% A model is posted with its objective, and nothing is labelled.
'$fd_survey'(Goal, Objective, Model) :-
    '$fd_posted'(Goal, Objective, Model, _, _).

'$fd_posted'(Goal, Objective, Model, Direction, Value) :-
    call(Goal),
    '$fd_model'(Model, _),
    (   Objective = objective(ObjectiveGoal, Aim, _)
    ->  '$fd_aim'(ObjectiveGoal, Aim, Direction, Value)
    ;   true
    ).

% The value that is to be least or greatest. Errors in between are those of the objective.
'$fd_aim'(Goal, Objective, Direction, Value) :-
    '$fd_part'(objective),
    (   call(Goal)
    ->  true
    ;   '$fd_no_objective'(none)
    ),
    '$fd_objective'(Objective, Direction, Expression),
    '$fd_integer_unknowns'([Value]),
    (   '#='(Value, Expression)
    ->  '$fd_part'(model)
    ;   '$fd_part'(model),
        fail
    ).

'$fd_objective'(Objective, Direction, Expression) :-
    (   nonvar(Objective),
        '$fd_optimised'(Objective)
    ->  Objective =.. [Direction, Expression]
    ;   '$fd_no_objective'(Objective)
    ).

'$fd_towards'(min, up).
'$fd_towards'(max, down).

% Constraints on variables that are not in the list can hold too.
'$fd_decided' :-
    '$fd_hidden'(Hidden),
    (   '$fd_label'(step, Hidden, ff, up, none)
    ->  true
    ).

'$fd_label'(Choice, Vars, Selection, Order, Bound) :-
    '$fd_bounded'(Bound),
    '$fd_order_of'(Choice, Order, First),
    '$fd_pick'(Vars, Selection, First, Pick, Rest),
    (   Pick == done
    ->  true
    ;   Pick = Var-Value,
        '$fd_branch'(Choice, Var, Value, Rest, Selection, Order, Bound)
    ).

'$fd_order_of'(bisect, _, middle) :-
    !.
'$fd_order_of'(_, Order, Order).

'$fd_bounded'(none).
'$fd_bounded'(b(State, Direction, Var)) :-
    arg(1, State, Best),
    '$fd_better'(Direction, Var, Best).

'$fd_branch'(step, Var, Value, Vars, Selection, Order, Bound) :-
    (   Var = Value
    ;   '$fd_remove'(Var, Value)
    ),
    '$fd_label'(step, Vars, Selection, Order, Bound).
'$fd_branch'(enum, Var, _, Vars, Selection, Order, Bound) :-
    '$fd_values'(Order, Var, Values),
    '$member'(Var, Values),
    '$fd_label'(enum, Vars, Selection, Order, Bound).
'$fd_branch'(bisect, Var, Middle, Vars, Selection, Order, Bound) :-
    (   Order == up
    ->  ( '#=<'(Var, Middle) ; '#>'(Var, Middle) )
    ;   Order == down
    ->  ( '#>'(Var, Middle) ; '#=<'(Var, Middle) )
    ;   domain_error(bisect_up_or_down, Order)
    ),
    '$fd_label'(bisect, Vars, Selection, Order, Bound).

'$fd_values'(Order, Var, Values) :-
    '$fd_elements'(Var, Up),
    (   Order == down
    ->  reverse(Up, Values)
    ;   Order == up
    ->  Values = Up
    ;   random_permutation(Up, Values)
    ).

'$member'(X, [Y|Ys]) :-
    '$member_'(Ys, X, Y).

'$member_'(_, X, X).
'$member_'([Y|Ys], X, _) :-
    '$member_'(Ys, X, Y).

%! sum(+Vars, +Relation, ?Expr)
%  The sum of the variables is in Relation (#=, #\=, #<, #>, #=<, #>=) to Expr.
%  ?- sum([1,X], #=, 3).
%  X = 2.
sum(Vars, Relation, Value) :-
    must_be(list, Vars),
    '$fd_ones'(Vars, Ones),
    '$fd_whole'(sum(Vars, Relation, Value)),
    scalar_product(Ones, Vars, Relation, Value),
    '$fd_whole'([]).

'$fd_ones'([], []).
'$fd_ones'([_|Vars], [1|Ones]) :-
    '$fd_ones'(Vars, Ones).

%! chain(+Vars, +Relation)
%  Each variable is in Relation (#=, #<, #=<, #>, #>=) to the next one.
%  ?- [X,Y] ins 1..2, chain([X,Y], #<).
%  X = 1, Y = 2.
chain(Vars, Relation) :-
    must_be(list, Vars),
    '$fd_integers'(Vars),
    must_be(callable, Relation),
    (   memberchk(Relation, ['#=','#<','#=<','#>','#>='])
    ->  '$fd_integer_unknowns'(Vars),
        '$fd_chain'(Vars, Relation)
    ;   domain_error(chain_relation, Relation)
    ).

'$fd_chain'([], _).
'$fd_chain'([X|Xs], Relation) :-
    '$fd_chain'(Xs, X, Relation).

'$fd_chain'([], _, _).
'$fd_chain'([Y|Ys], X, Relation) :-
    call(Relation, X, Y),
    '$fd_chain'(Ys, Y, Relation).

'$fd_integers'([]).
'$fd_integers'([X|Xs]) :-
    (   var(X)
    ->  true
    ;   must_be(integer, X)
    ),
    '$fd_integers'(Xs).

%! zcompare(?Order, ?A, ?B)
%  As compare/3, of integers that need not be known.
%  ?- zcompare(Order, 1, 2).
%  Order = (<).
zcompare(Order, A, B) :-
    (   nonvar(Order)
    ->  '$fd_zcompare'(Order, A, B)
    ;   integer(A),
        integer(B)
    ->  compare(Order, A, B)
    ;   freeze(Order, '$fd_zcompare'(Order, A, B)),
        '$fd_integers'([A,B]),
        '$fd_integer_unknowns'([A,B,Less,Same]),
        '#<==>'('#<'(A, B), Less),
        '#<==>'('#='(A, B), Same),
        '$fd_ordered'(Less, Same, Order)
    ).

'$fd_zcompare'(Order, A, B) :-
    '$fd_integers'([A,B]),
    '$fd_integer_unknowns'([A,B]),
    '$fd_zcompare_'(Order, A, B).

'$fd_zcompare_'(=, A, B) :-
    '#='(A, B).
'$fd_zcompare_'(<, A, B) :-
    '#<'(A, B).
'$fd_zcompare_'(>, A, B) :-
    '#>'(A, B).

'$fd_ordered'(Less, Same, Order) :-
    when((nonvar(Less), nonvar(Same)), '$fd_order_is'(Less, Same, Order)).

'$fd_order_is'(1, _, <).
'$fd_order_is'(0, 1, =).
'$fd_order_is'(0, 0, >).

%! automaton(+Signature, +Nodes, +Arcs)
%  A finite automaton reads the values of Signature from a source(Node) to a sink(Node)
%  along arcs arc(Node, Integer, Node).
%  ?- automaton([X,1], [source(a),sink(b)], [arc(a,0,a),arc(a,1,b)]).
%  X = 0.
automaton(Signature, Nodes, Arcs) :-
    '$fd_whole'(automaton(Signature, Nodes, Arcs)),
    '$fd_automaton'(_, _, Signature, Nodes, Arcs, [], [], _),
    '$fd_whole'([]).

%! automaton(+Sequence, ?Template, +Signature, +Nodes, +Arcs, +Counters, +Initials, ?Finals)
%  The same with counters: arc(Node, Integer, Node, Expressions) gives each counter a new
%  value. In an expression a variable of Counters is its value before, and one of Template
%  is what stands in its place in the element of Sequence.
automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    '$fd_whole'(automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals)),
    '$fd_automaton'(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals),
    '$fd_whole'([]).

'$fd_automaton'(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    must_be(list, Signature),
    must_be(list, Nodes),
    must_be(list, Arcs),
    must_be(list, Counters),
    must_be(list, Initials),
    (   var(Sequence)
    ->  Sequence = Signature
    ;   must_be(list, Sequence)
    ),
    '$fd_ends'(Nodes, Sources, Sinks),
    '$fd_arcs'(Arcs, Counters, Full),
    '$fd_nodes'(Full, Names0),
    append(Sources, Sinks, Ends),
    append(Ends, Names0, Names1),
    '$fd_once'(Names1, Names),
    '$fd_distinct_updates'(Counters, 1, Full, Updates),
    '$fd_transitions'(Full, Names, Updates, Relation),
    '$fd_steps'(Sequence, Signature, Template, Counters, Updates, Start, End, Initials, Finals,
                Tuples),
    '$fd_numbers'(Sources, Names, SourceSet),
    '$fd_numbers'(Sinks, Names, SinkSet),
    in(Start, SourceSet),
    in(End, SinkSet),
    tuples_in(Tuples, Relation).

'$fd_ends'([], [], []).
'$fd_ends'([Node|Nodes], Sources, Sinks) :-
    (   Node = source(Name)
    ->  Sources = [Name|Sources1], Sinks = Sinks1
    ;   Node = sink(Name)
    ->  Sources = Sources1, Sinks = [Name|Sinks1]
    ;   Sources = Sources1, Sinks = Sinks1
    ),
    '$fd_ends'(Nodes, Sources1, Sinks1).

'$fd_arcs'([], _, []).
'$fd_arcs'([Arc|Arcs], Counters, [Full|Fulls]) :-
    (   Arc = arc(From, Label, To)
    ->  Full = arc(From, Label, To, Counters)
    ;   Full = Arc
    ),
    '$fd_arcs'(Arcs, Counters, Fulls).

'$fd_nodes'([], []).
'$fd_nodes'([arc(From, _, To, _)|Arcs], [From, To|Names]) :-
    '$fd_nodes'(Arcs, Names).

'$fd_once'([], []).
'$fd_once'([Name|Names0], Names) :-
    (   '$fd_memberchk_eq'(Name, Names0)
    ->  Names = Names1
    ;   Names = [Name|Names1]
    ),
    '$fd_once'(Names0, Names1).

'$fd_memberchk_eq'(X, [Y|Ys]) :-
    (   X == Y
    ->  true
    ;   '$fd_memberchk_eq'(X, Ys)
    ).

% For each counter, the expressions of arcs, each once.
'$fd_distinct_updates'([], _, _, []).
'$fd_distinct_updates'([_|Counters], N, Arcs, [Expressions|Updates]) :-
    '$fd_expressions_of'(Arcs, N, All),
    '$fd_once'(All, Expressions),
    N1 is N + 1,
    '$fd_distinct_updates'(Counters, N1, Arcs, Updates).

'$fd_expressions_of'([], _, []).
'$fd_expressions_of'([arc(_, _, _, Expressions)|Arcs], N, [Expression|Rest]) :-
    nth1(N, Expressions, Expression),
    '$fd_expressions_of'(Arcs, N, Rest).

'$fd_transitions'([], _, _, []).
'$fd_transitions'([arc(From, Label, To, Expressions)|Arcs], Names, Updates, [[I, Label, J|Ns]|Rows]) :-
    '$fd_place'(Names, From, 0, I),
    '$fd_place'(Names, To, 0, J),
    '$fd_places'(Expressions, Updates, Ns),
    '$fd_transitions'(Arcs, Names, Updates, Rows).

'$fd_place'([Name|Names], Sought, N, Place) :-
    (   Name == Sought
    ->  Place = N
    ;   N1 is N + 1,
        '$fd_place'(Names, Sought, N1, Place)
    ).

'$fd_places'([], [], []).
'$fd_places'([Expression|Expressions], [All|Updates], [N|Ns]) :-
    '$fd_place'(All, Expression, 1, N),
    '$fd_places'(Expressions, Updates, Ns).

'$fd_numbers'([Name|Names], All, Set) :-
    '$fd_place'(All, Name, 0, N),
    '$fd_numbers'(Names, All, N, Set).

'$fd_numbers'([], _, Set, Set).
'$fd_numbers'([Name|Names], All, Set0, Set) :-
    '$fd_place'(All, Name, 0, N),
    '$fd_numbers'(Names, All, Set0 \/ N, Set).

'$fd_steps'([], [], _, _, _, S, S, Values, Values, []).
'$fd_steps'([Element|Elements], [Label|Labels], Template, Counters, Updates, S0, S, Values0, Values,
            [[S0, Label, S1|Ns]|Tuples]) :-
    '$fd_updated'(Updates, Template, Counters, Element, Values0, Ns, Values1),
    '$fd_steps'(Elements, Labels, Template, Counters, Updates, S1, S, Values1, Values, Tuples).

'$fd_updated'([], _, _, _, _, [], []).
'$fd_updated'([Expressions|Updates], Template, Counters, Element, Values0, [N|Ns], [Value|Values]) :-
    '$fd_known_variables'(Expressions, Template, Counters),
    copy_term_nat(t(Template, Counters, Expressions), t(Element, Values0, Now)),
    '$fd_evaluated'(Now, Alternatives),
    element(N, Alternatives, Value),
    '$fd_updated'(Updates, Template, Counters, Element, Values0, Ns, Values).

'$fd_known_variables'(Expressions, Template, Counters) :-
    term_variables(Expressions, Used),
    term_variables(Template-Counters, Known),
    '$fd_all_known'(Used, Known).

'$fd_all_known'([], _).
'$fd_all_known'([Var|Vars], Known) :-
    (   '$fd_memberchk_eq'(Var, Known)
    ->  '$fd_all_known'(Vars, Known)
    ;   domain_error(variable_from_template_or_counters, Var)
    ).

'$fd_evaluated'([], []).
'$fd_evaluated'([Expression|Expressions], [Value|Values]) :-
    '$fd_integer_unknowns'([Value]),
    '#='(Value, Expression),
    '$fd_evaluated'(Expressions, Values).

%! empty_fdset(?Set)
%  Set is the empty set.
%  ?- empty_fdset(S), fdset_to_list(S, L).
%  S = empty, L = [].
empty_fdset(empty).

%! empty_interval(+Min, +Max)
%  No integer is between Min and Max, which are integers, inf, or sup.
%  ?- empty_interval(3, 2).
%  true.
empty_interval(Min, Max) :-
    (   Min == Max
    ->  memberchk(Min, [inf,sup])
    ;   Min == sup
    ->  Max == inf
    ;   Min \== inf,
        Max \== sup,
        Min > Max
    ).

%! fdset_singleton(?Set, ?Element)
%  Set has Element as its only element.
%  ?- fdset_singleton(S, 4), fdset_to_list(S, L).
%  S = from_to(n(4), n(4)), L = [4].
fdset_singleton(Set, Element) :-
    fdset_interval(Set, Element, Element).

%! fdset_member(?Element, +Set)
%  Element is one of Set, which has to be finite if Element is unknown.
%  ?- list_to_fdset([1,5], S), fdset_member(X, S).
%  S = split(4, from_to(n(1), n(1)), from_to(n(5), n(5))), X = 1.
fdset_member(Element, Set) :-
    (   var(Element)
    ->  '$fdset_elements'(Set, [First|Others]),
        '$member_'(Others, Element, First)
    ;   integer(Element),
        '$fdset_contains'(Element, Set)
    ).

%! fdset_to_list(+Set, -List)
%  List has the elements of a finite set in ascending order.
%  ?- range_to_fdset(1..3, S), fdset_to_list(S, L).
%  S = from_to(n(1), n(3)), L = [1, 2, 3].
fdset_to_list(Set, List) :-
    '$fdset_elements'(Set, List).

%! fdset_union(+Sets, -Union)
%  Union has the elements of all sets of a list.
%  ?- fdset_union([], U).
%  U = empty.
fdset_union(Sets, Union) :-
    must_be(list, Sets),
    '$fdset_union'(Sets, empty, Union).

'$fdset_union'([], Union, Union).
'$fdset_union'([Set|Sets], Union0, Union) :-
    fdset_union(Set, Union0, Union1),
    '$fdset_union'(Sets, Union1, Union).
