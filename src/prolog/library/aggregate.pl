% aggregate.pl: counting, adding up and picking the best over all answers.
%
% A template is count, count(T), sum(E), max(E), min(E), max(E, Witness),
% min(E, Witness), bag(T), set(T), or a term with templates as arguments.

%! aggregate_all(+Template, :Goal, -Result)
%  The aggregate over all answers of Goal; nothing is grouped.
%  max and min fail when Goal has no answer.
%  ?- aggregate_all(count, member(_, [a,b]), N).
%  N = 2.
%  ?- aggregate_all(max(X, Y), member(X-Y, [1-a,3-b,2-c]), M).
%  M = max(3,b).
aggregate_all(Template, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   '$aggregate_all'(Template, Goal, Result)
    ).

'$aggregate_all'(Template, Goal, Result) :-
    (   Template == count
    ->  '$count'(Goal, Result)
    ;   '$simple_aggregate'(Template, Item)
    ->  findall(Item, Goal, Items),
        '$aggregate'(Template, Items, Result)
    ;   '$compound_aggregate'(Template, Items, Item)
    ->  findall(Item, Goal, Rows),
        '$aggregate_columns'(Items, Rows, Results),
        functor(Template, Name, _),
        Result =.. [Name|Results]
    ;   domain_error(aggregate_template, Template)
    ).

'$count'(Goal, Result) :-
    State = count(0),
    (   call(Goal),
        arg(1, State, N0),
        N is N0 + 1,
        nb_setarg(1, State, N),
        fail
    ;   arg(1, State, Result)
    ).

% What findall/3 has to collect for a template.
'$simple_aggregate'(count, []).
'$simple_aggregate'(count(_), []).
'$simple_aggregate'(sum(E), E).
'$simple_aggregate'(max(E), E).
'$simple_aggregate'(min(E), E).
'$simple_aggregate'(max(E, W), E-W).
'$simple_aggregate'(min(E, W), E-W).
'$simple_aggregate'(bag(T), T).
'$simple_aggregate'(set(T), T).

'$compound_aggregate'(Template, Parts, Items) :-
    compound(Template),
    Template =.. [_|Parts],
    '$simple_aggregates'(Parts, Items).

'$simple_aggregates'([], []).
'$simple_aggregates'([Part|Parts], [Item|Items]) :-
    (   nonvar(Part), '$simple_aggregate'(Part, Item0)
    ->  Item = Item0
    ;   domain_error(aggregate_template, Part)
    ),
    '$simple_aggregates'(Parts, Items).

'$aggregate_columns'([], _, []).
'$aggregate_columns'([Part|Parts], Rows, [Result|Results]) :-
    '$heads_and_tails'(Rows, Column, Rows1),
    '$aggregate'(Part, Column, Result),
    '$aggregate_columns'(Parts, Rows1, Results).

'$heads_and_tails'([], [], []).
'$heads_and_tails'([[X|Xs]|Rows], [X|Column], [Xs|Tails]) :-
    '$heads_and_tails'(Rows, Column, Tails).

% '$aggregate'(Template, Items, Result): over what was collected.
'$aggregate'(count, Items, N) :-
    length(Items, N).
'$aggregate'(count(_), Items, N) :-
    length(Items, N).
'$aggregate'(sum(_), Items, Sum) :-
    '$sum_list'(Items, 0, Sum).
'$aggregate'(max(_), [E|Es], Max) :-
    Max0 is E,
    '$max_list'(Es, Max0, Max).
'$aggregate'(min(_), [E|Es], Min) :-
    Min0 is E,
    '$min_list'(Es, Min0, Min).
'$aggregate'(max(_, _), [E-W|Pairs], max(Max, Witness)) :-
    '$measured'(E, First),
    '$max_witness'(Pairs, First, W, Max, Witness).
'$aggregate'(min(_, _), [E-W|Pairs], min(Min, Witness)) :-
    '$measured'(E, First),
    '$min_witness'(Pairs, First, W, Min, Witness).
'$aggregate'(bag(_), Items, Items).
'$aggregate'(set(_), Items, Set) :-
    sort(Items, Set).

% The first of several equal ones is the witness.
'$max_witness'([], Max, W, Max, W).
'$max_witness'([E-W|Pairs], Max0, W0, Max, Witness) :-
    '$measured'(E, Value),
    (   Value > Max0
    ->  '$max_witness'(Pairs, Value, W, Max, Witness)
    ;   '$max_witness'(Pairs, Max0, W0, Max, Witness)
    ).

'$min_witness'([], Min, W, Min, W).
'$min_witness'([E-W|Pairs], Min0, W0, Min, Witness) :-
    '$measured'(E, Value),
    (   Value < Min0
    ->  '$min_witness'(Pairs, Value, W, Min, Witness)
    ;   '$min_witness'(Pairs, Min0, W0, Min, Witness)
    ).

% The value of what is compared: a number, or an expression.
'$measured'(Expression, Value) :-
    (   compound(Expression)
    ->  Value is Expression
    ;   must_be(number, Expression),
        Value = Expression
    ).

%! aggregate_all(+Template, +Discriminator, :Goal, -Result)
%  As aggregate_all/3, where answers with the same Discriminator and the same
%  item count once.
%  ?- aggregate_all(count, X, member(X, [a,b,a]), N).
%  N = 2.
aggregate_all(Template, Discriminator, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   '$simple_aggregate'(Template, Item)
    ->  findall(Discriminator-Item, Goal, Pairs0),
        sort(Pairs0, Pairs),
        pairs_values(Pairs, Items),
        '$aggregate'(Template, Items, Result)
    ;   '$compound_aggregate'(Template, Parts, Item)
    ->  findall(Discriminator-Item, Goal, Pairs0),
        sort(Pairs0, Pairs),
        pairs_values(Pairs, Rows),
        '$aggregate_columns'(Parts, Rows, Results),
        functor(Template, Name, _),
        Result =.. [Name|Results]
    ;   domain_error(aggregate_template, Template)
    ).

%! aggregate(+Template, :Goal, -Result)
%  As aggregate_all/3, but grouped by the free variables of Goal as bagof/3
%  does, and failing when there is no answer.
%  ?- aggregate(count, X^member(X-K, [1-a,2-b,3-a]), N), K = a.
%  N = 2.
aggregate(Template, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   '$simple_aggregate'(Template, Item)
    ->  bagof(Item, Goal, Items),
        '$aggregate'(Template, Items, Result)
    ;   '$compound_aggregate'(Template, Parts, Item)
    ->  bagof(Item, Goal, Rows),
        '$aggregate_columns'(Parts, Rows, Results),
        functor(Template, Name, _),
        Result =.. [Name|Results]
    ;   domain_error(aggregate_template, Template)
    ).

%! aggregate(+Template, +Discriminator, :Goal, -Result)
%  As aggregate/3 with a discriminator.
%  ?- aggregate(count, X, member(X, [a,b,a]), N).
%  N = 2.
aggregate(Template, Discriminator, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   '$simple_aggregate'(Template, Item)
    ->  setof(Discriminator-Item, Goal, Pairs),
        pairs_values(Pairs, Items),
        '$aggregate'(Template, Items, Result)
    ;   '$compound_aggregate'(Template, Parts, Item)
    ->  setof(Discriminator-Item, Goal, Pairs),
        pairs_values(Pairs, Rows),
        '$aggregate_columns'(Parts, Rows, Results),
        functor(Template, Name, _),
        Result =.. [Name|Results]
    ;   domain_error(aggregate_template, Template)
    ).

%! foreach(:Generator, :Goal)
%  Goal holds, all at once, for each answer of Generator; unlike forall/2 it
%  may bind the variables it doesn't share with Generator.
%  ?- foreach(member(X, [1,2]), Y = z).
%  Y = z.
foreach(Generator, Goal) :-
    term_variables(Generator, GenVars0),
    term_variables(Goal, GoalVars),
    '$common_variables'(GenVars0, GoalVars, Shared),
    '$other_variables'(GoalVars, Shared, Global),
    findall(Shared, Generator, Instances),
    '$foreach'(Instances, Shared, Global, Goal).

'$foreach'([], _, _, _).
'$foreach'([Instance|Instances], Shared, Global, Goal) :-
    copy_term(Global/Shared/Goal, Global/Instance/Goal1),
    call(Goal1),
    '$foreach'(Instances, Shared, Global, Goal).

'$common_variables'([], _, []).
'$common_variables'([V|Vs], Ws, Common) :-
    (   '$member_eq'(Ws, V)
    ->  Common = [V|Common1],
        '$common_variables'(Vs, Ws, Common1)
    ;   '$common_variables'(Vs, Ws, Common)
    ).

'$other_variables'([], _, []).
'$other_variables'([V|Vs], Ws, Others) :-
    (   '$member_eq'(Ws, V)
    ->  '$other_variables'(Vs, Ws, Others)
    ;   Others = [V|Others1],
        '$other_variables'(Vs, Ws, Others1)
    ).

'$member_eq'([W|Ws], V) :-
    (   W == V
    ->  true
    ;   '$member_eq'(Ws, V)
    ).
