% database.pl: clauses as data (ISO 13211-1, 8.8 and 8.9).

%! clause(:Head, ?Body)
%  Each clause whose head and body unify with Head and Body.
%  ?- clause(append([], L, L), B).
%  B = true.
clause(Head, Body) :-
    '$clauses_of'(Head, Body, access, Plain, Pred),
    '$walk'(Plain, Body, _, Pred).

%! retract(:Clause)
%  Removes the first clause that unifies with Clause; on backtracking the next.
%  ?- assertz(p(1)), retract(p(X)).
%  X = 1.
retract(Clause) :-
    '$head_body'(Clause, Head, Body),
    '$clauses_of'(Head, Body, modify, Plain, Pred),
    '$walk'(Plain, Body, Reference, Pred),
    '$erase'(Reference).

'$head_body'(Clause, Head, Body) :-
    (   var(Clause)
    ->  instantiation_error(Clause)
    ;   Clause = (Head0 :- Body0)
    ->  Head = Head0, Body = Body0
    ;   Clause = M:Inner, nonvar(Inner), Inner = (Head0 :- Body0)
    ->  Head = M:Head0, Body = Body0
    ;   Head = Clause, Body = true
    ).

%! current_predicate(?Indicator)
%  Indicator, Name/Arity, is a predicate of the program with clauses.
%  ?- assertz(p(1)), current_predicate(p/N).
%  N = 1.
current_predicate(Indicator) :-
    '$current_predicates'(Indicator, List),
    (   nonvar(Indicator), Indicator = _:Plain
    ->  true
    ;   Plain = Indicator
    ),
    member(Plain, List).

%! current_predicate(?Name, :Head)
%  Head is the most general goal of a predicate of the program.
%  ?- assertz(p(1)), current_predicate(p, H).
%  H = p(_).
current_predicate(Name, Head) :-
    (   nonvar(Head), Head \= _:_
    ->  functor(Head, Name, Arity),
        '$current_predicates'(Name/Arity, [_|_])
    ;   '$current_predicates'(Name/_, List),
        member(Name/Arity, List),
        functor(Head, Name, Arity)
    ).

%! predicate_property(:Head, ?Property)
%  Property is one of built_in, defined, dynamic, static, tabled, number_of_clauses(N).
%  ?- predicate_property(append(_,_,_), defined).
%  true.
predicate_property(Head, Property) :-
    (   nonvar(Head)
    ->  '$predicate_properties'(Head, Properties),
        member(Property, Properties)
    ;   '$current_predicates'(_, List),
        member(Name/Arity, List),
        functor(Head, Name, Arity),
        '$predicate_properties'(Head, Properties),
        member(Property, Properties)
    ).

%! listing
%  Writes the clauses of the program.
listing :-
    '$current_predicates'(_, List),
    '$listing'(List, user).

%! listing(:Spec)
%  Writes the clauses of a predicate given as Name, Name/Arity or a list of these.
%  ?- assertz(p(1)), listing(p/1).
listing(Spec) :-
    (   var(Spec)
    ->  instantiation_error(Spec)
    ;   strip_module(Spec, Module, Plain),
        (   Plain == []
        ->  true
        ;   Plain = [First|Rest]
        ->  listing(Module:First), listing(Module:Rest)
        ;   Plain = _/_
        ->  '$listing_found'(Module, Plain, Spec)
        ;   '$listing_found'(Module, Plain/_, Spec)
        )
    ).

'$listing_found'(Module, Indicator, Spec) :-
    '$current_predicates'(Module:Indicator, List),
    (   List == []
    ->  existence_error(procedure, Spec)
    ;   '$listing'(List, Module)
    ).

'$listing'([], _).
'$listing'([Name/Arity|Rest], Module) :-
    functor(Head, Name, Arity),
    '$listing_home'(Module:Head, Home),
    '$shown_in'(Home, Module, Name/Arity, Shown),
    (   predicate_property(Home:Head, dynamic)
    ->  format(":- dynamic ~q.~n~n", [Shown])
    ;   true
    ),
    (   predicate_property(Home:Head, tabled),
        '$table_spec'(Home, Name, Arity, Spec)
    ->  portray_clause((:- table(Spec))),
        nl
    ;   true
    ),
    '$listing_clauses'(Home, Module, Head),
    nl,
    '$listing'(Rest, Module).

% Home: the module that a predicate belongs to.
'$listing_home'(Goal, Home) :-
    (   predicate_property(Goal, imported_from(Module))
    ->  Home = Module
    ;   strip_module(Goal, Home, _)
    ).

'$shown_in'(Home, Module, Plain, Shown) :-
    (   Home == Module
    ->  Shown = Plain
    ;   Shown = Home:Plain
    ).

'$listing_clauses'(Home, Module, Head) :-
    clause(Home:Head, Body, Reference),
    Reference = '$clause'(Clause),
    '$shown_in'(Home, Module, Head, Shown),
    '$clause_written'(Clause, Shown, Body, Written),
    (   Written = (Shown :- Body),
        Body == true
    ->  portray_clause(Shown)
    ;   portray_clause(Written)
    ),
    fail.
'$listing_clauses'(_, _, _).

%! clause(:Head, ?Body, ?Reference)
%  As clause/2; Reference is the clause's own.
%  ?- assertz(p(1)), clause(p(X), true, R).
clause(Head, Body, Reference) :-
    (   nonvar(Reference)
    ->  Reference = '$clause'(Clause),
        '$clause_unify'(Clause, Head, Body)
    ;   '$clauses_of'(Head, Body, access, Plain, Pred),
        '$walk'(Plain, Body, Clause, Pred),
        Reference = '$clause'(Clause)
    ).

%! nth_clause(:Head, ?N, ?Reference)
%  Reference is that of clause N, from 1, of the predicate of Head.
%  ?- assertz(p(a)), assertz(p(b)), nth_clause(p(_), 2, R), clause(H, true, R).
%  H = p(b).
nth_clause(Head, N, Reference) :-
    strip_module(Head, Module, Plain),
    functor(Plain, Name, Arity),
    functor(General, Name, Arity),
    '$clauses_of'(Module:General, _, access, All, Pred),
    findall(Clause, '$walk'(All, _, Clause, Pred), Clauses),
    Reference = '$clause'(Found),
    nth1(N, Clauses, Found).

% '$expand_clause'(Clause, Expanded): Clause with the goals of its body rewritten by
% goal_expansion/2; fails if it changes nothing.
'$expand_clause'((Head :- Body), (Head :- Expanded)) :-
    '$expand_goals'(Body, Expanded),
    Body \== Expanded.

% A goal is expanded as often as there is an expansion, then the goals in its arguments. What an expansion contains of
% a goal that is being expanded is not expanded again.
'$expand_goals'(Goal, Expanded) :-
    '$expand_goals'(Goal, [], Expanded).

'$expand_goals'(Goal, Before, Expanded) :-
    (   var(Goal)
    ->  Expanded = Goal
    ;   Goal = Module:Plain
    ->  (   atom(Module)
        ->  '$expand_goals'(Plain, Before, Plain1),
            Expanded = Module:Plain1
        ;   Expanded = Goal
        )
    ;   \+ '$is_control'(Goal),
        callable(Goal),
        '$current_predicates'(goal_expansion/2, [_|_]),
        \+ '$is_among'(Before, Goal),
        call(goal_expansion(Goal, Goal1)),
        Goal1 \== Goal
    ->  '$expand_goals'(Goal1, [Goal|Before], Expanded)
    ;   '$goal_places'(Goal, Places)
    ->  Goal =.. [Name|Arguments],
        '$expand_places'(Places, Arguments, Before, Arguments1),
        Expanded =.. [Name|Arguments1]
    ;   '$expand_functions'(Goal, Goal1)
    ->  Expanded = Goal1
    ;   Expanded = Goal
    ).

'$is_control'((_, _)).
'$is_control'((_ ; _)).
'$is_control'((_ -> _)).
'$is_control'((_ *-> _)).
'$is_control'(\+ _).

'$is_among'([Known|More], Goal) :-
    (   Known =@= Goal
    ->  true
    ;   '$is_among'(More, Goal)
    ).

%! arithmetic_function(:Indicator)
%  As a directive: Name/Arity is a function in arithmetic from there on, computed by the predicate with one more
%  argument, the value. Clauses that use it call the predicate before they compute.
arithmetic_function(Spec) :-
    strip_module(Spec, _, Plain),
    (   nonvar(Plain),
        Plain = Name/Arity
    ->  must_be(atom, Name),
        must_be(nonneg, Arity),
        '$has_functions',
        recordz('$arithmetic_function', Name/Arity)
    ;   type_error(predicate_indicator, Spec)
    ).

% Calls of the functions in a goal of arithmetic, and the goal with their values.
'$expand_functions'(Goal, Expanded) :-
    '$evaluated_places'(Goal, Places),
    once(recorded('$arithmetic_function', _)),
    Goal =.. [Name|Arguments],
    '$expand_evaluated'(Places, Arguments, Arguments1, Calls, []),
    Calls = [First|Rest],
    Goal1 =.. [Name|Arguments1],
    '$calls_before'(Rest, First, Goal1, Expanded).

'$evaluated_places'(_ is _, [term,value]).
'$evaluated_places'(_ =:= _, [value,value]).
'$evaluated_places'(_ =\= _, [value,value]).
'$evaluated_places'(_ < _, [value,value]).
'$evaluated_places'(_ =< _, [value,value]).
'$evaluated_places'(_ > _, [value,value]).
'$evaluated_places'(_ >= _, [value,value]).

'$calls_before'([], Call, Goal, (Call, Goal)).
'$calls_before'([Next|Rest], Call, Goal, (Call, Goals)) :-
    '$calls_before'(Rest, Next, Goal, Goals).

'$expand_evaluated'([], [], []) --> [].
'$expand_evaluated'([Place|Places], [A|As], [B|Bs]) -->
    (   { Place == value }
    ->  '$expand_expression'(A, B)
    ;   { B = A }
    ),
    '$expand_evaluated'(Places, As, Bs).

'$expand_expression'(Expression, Value) -->
    (   { callable(Expression),
          functor(Expression, Name, Arity),
          once(recorded('$arithmetic_function', Name/Arity))
        }
    ->  { Expression =.. [Name|Arguments],
          append(Values, [Value], All),
          length(Values, Arity),
          Call =.. [Name|All]
        },
        '$expand_values'(Arguments, Values),
        [Call]
    ;   { compound(Expression) }
    ->  { Expression =.. [Name|Arguments] },
        '$expand_expressions'(Arguments, Values),
        { Value =.. [Name|Values] }
    ;   { Value = Expression }
    ).

'$expand_expressions'([], []) --> [].
'$expand_expressions'([A|As], [B|Bs]) -->
    '$expand_expression'(A, B),
    '$expand_expressions'(As, Bs).

% Functions are called with the values of their arguments.
'$expand_values'([], []) --> [].
'$expand_values'([A|As], [B|Bs]) -->
    '$expand_expression'(A, A1),
    (   { number(A1) }
    ->  { B = A1 }
    ;   [B is A1]
    ),
    '$expand_values'(As, Bs).

'$expand_places'([], [], _, []).
'$expand_places'([Place|Places], [A|As], Before, [B|Bs]) :-
    (   Place == goal
    ->  '$expand_goals'(A, Before, B)
    ;   B = A
    ),
    '$expand_places'(Places, As, Before, Bs).
