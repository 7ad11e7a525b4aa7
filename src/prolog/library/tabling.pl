% tabling.pl: tabled predicates, by the steps of machine/tables.rs.

%! table(:Predicates)
%  As a directive: keeps the answers of these predicates, each answer once, so that
%  left-recursive rules end and no call is answered twice.  Predicates are Name/Arity or
%  Name//Arity; a head as path(_,_,min) keeps one answer for each value of the arguments
%  `_`, or `+`: the one with the least (min) or greatest (max) value, the first or last, or what
%  lattice(Pred/3) joins or po(Pred/2) prefers.
%  ?- dynamic(nat/1), table(nat/1), assertz((nat(X) :- nat(Y), Y < 3, X is Y+1)),
%     assertz(nat(0)), aggregate_all(max(X), nat(X), M).
%  M = 3.
table(Predicates) :-
    '$table_specs'(Predicates, user, '$table_one').

%! untable(:Predicates)
%  Takes predicates off their tables again.
%  ?- table(t/1), untable(t/1), dynamic(t/1), t(_).
%  false.
untable(Predicates) :-
    '$table_specs'(Predicates, user, '$untable_one').

% Module: what stands before the predicates.
'$table_specs'(Specs, _, _) :-
    var(Specs), !,
    instantiation_error(Specs).
'$table_specs'([], _, _) :- !.
'$table_specs'([Spec|Specs], Module, Do) :- !,
    '$table_specs'(Spec, Module, Do),
    '$table_specs'(Specs, Module, Do).
'$table_specs'((Spec, Specs), Module, Do) :- !,
    '$table_specs'(Spec, Module, Do),
    '$table_specs'(Specs, Module, Do).
'$table_specs'(Spec as Options, Module, Do) :- !,
    '$table_specs'(Spec, Module, Do),
    (   '$table_option'(Options, incremental)
    ->  '$table_specs'(Spec, Module, '$table_incrementally')
    ;   true
    ).
'$table_specs'(Module:Spec, _, Do) :- !,
    '$table_specs'(Spec, Module, Do).
'$table_specs'(Spec, Module, Do) :-
    call(Do, Module, Spec).

'$table_one'(Module, Spec) :-
    '$table_indicator'(Spec, Name, Arity), !,
    '$set_tabled'(Module:Name, Arity, [], []).
'$table_one'(Module, Head) :-
    must_be(callable, Head),
    Head =.. [Name|Specs],
    length(Specs, Arity),
    '$table_modes'(Specs, Module, Modes, Joins),
    '$set_tabled'(Module:Name, Arity, Modes, Joins).

'$table_option'(Options, Option) :-
    nonvar(Options),
    (   Options = (Left, Right)
    ->  (   '$table_option'(Left, Option)
        ->  true
        ;   '$table_option'(Right, Option)
        )
    ;   Options == Option
    ).

'$table_incrementally'(Module, Spec) :-
    '$table_name'(Spec, Name, Arity),
    '$set_incremental_tables'(Module:Name, Arity).

'$untable_one'(Module, Spec) :-
    '$table_name'(Spec, Name, Arity),
    '$set_untabled'(Module:Name, Arity).

'$table_name'(Spec, Name, Arity) :-
    (   '$table_indicator'(Spec, Name, Arity)
    ->  true
    ;   must_be(callable, Spec),
        functor(Spec, Name, Arity)
    ).

'$table_indicator'(Name/Arity, Name, Arity) :-
    must_be(atom, Name),
    must_be(nonneg, Arity).
'$table_indicator'(Name//Arity0, Name, Arity) :-
    must_be(atom, Name),
    must_be(nonneg, Arity0),
    Arity is Arity0+2.

% Joins: for each argument that is not an index, what joins two values of it.
'$table_modes'([], _, [], []).
'$table_modes'([Spec|Specs], Module, [Mode|Modes], Joins) :-
    '$table_mode'(Spec, Module, Mode, Join),
    (   Mode == index
    ->  Joins = Joins1
    ;   Joins = [Join|Joins1]
    ),
    '$table_modes'(Specs, Module, Modes, Joins1).

'$table_mode'(Spec, _, index, none) :-
    var(Spec), !.
'$table_mode'(index, _, index, none) :- !.
'$table_mode'(+, _, index, none) :- !.
'$table_mode'(-, _, first, first) :- !.
'$table_mode'(lattice(Spec), Module, joined, lattice(Module:Pred)) :- !,
    '$table_closure'(Spec, Pred).
'$table_mode'(po(Spec), Module, joined, po(Module:Pred)) :- !,
    '$table_closure'(Spec, Pred).
'$table_mode'(Mode, _, Mode, Mode) :-
    memberchk(Mode, [min, max, first, last]), !.
'$table_mode'(Mode, _, _, _) :-
    domain_error(tabled_mode, Mode).

% What `table` was told of a predicate.
'$table_spec'(Module, Name, Arity, Spec) :-
    '$table_joins'(Module:Name, Arity, Joins),
    (   Joins == []
    ->  Spec = Name/Arity
    ;   '$table_indices'(Module:Name, Arity, Indices),
        '$table_spec_modes'(Indices, Joins, Modes),
        Spec =.. [Name|Modes]
    ).

'$table_spec_modes'([], _, []).
'$table_spec_modes'([index|Indices], Joins, [_|Modes]) :- !,
    '$table_spec_modes'(Indices, Joins, Modes).
'$table_spec_modes'([_|Indices], [Join|Joins], [Mode|Modes]) :-
    (   Join = lattice(_:Pred)
    ->  Mode = lattice(Pred/3)
    ;   Join = po(_:Pred)
    ->  Mode = po(Pred/2)
    ;   Mode = Join
    ),
    '$table_spec_modes'(Indices, Joins, Modes).

'$table_closure'(Spec, _) :-
    var(Spec), !,
    instantiation_error(Spec).
'$table_closure'(Name/_, Name) :- !.
'$table_closure'(Head, Name) :-
    must_be(callable, Head),
    functor(Head, Name, _).

%! current_table(:Call, -Table)
%  Table is the table of Call, for each variant of a call that has one.
%  ?- dynamic(t/1), table(t/1), \+ t(_), current_table(t(X), _).
%  true.
current_table(Call, '$table'(Number)) :-
    strip_module(Call, Module, Plain),
    '$tables'(Module, Tables),
    member(Number-Plain, Tables).

%! abolish_table_subgoals(:Call)
%  Forgets the answers of the calls that unify with Call.
%  ?- dynamic(t/1), table(t/1), \+ t(a), abolish_table_subgoals(t(_)), current_table(t(_), _).
%  false.
abolish_table_subgoals(Call) :-
    strip_module(Call, Module, Plain),
    '$tables'(Module, Tables),
    findall(Number, member(Number-Plain, Tables), Numbers),
    '$abolish_tables'(Numbers).

%! abolish_module_tables(+Module)
%  Forgets the answers of the tabled predicates of Module.
%  ?- abolish_module_tables(user).
%  true.
abolish_module_tables(Module) :-
    must_be(atom, Module),
    '$tables'(Module, Tables),
    findall(Number, member(Number-_, Tables), Numbers),
    '$abolish_tables'(Numbers).

%! tnot(:Goal)
%  Goal, of a tabled predicate, has no answer; as \+/1.  Raises an error where the
%  well-founded model does not say so step by step.
%  ?- dynamic(t/0), table(t/0), tnot(t).
%  true.
tnot(Goal) :-
    \+ Goal.

% The entry of every tabled predicate.
'$tabled_call'(Goal) :-
    '$table'(Goal, Table, How, General, Answer),
    '$table_filled'(How, General, Table),
    '$table_consume'(Table, Answer).

'$table_filled'(ready, _, _).
'$table_filled'(fresh, Goal-Kept, Table) :-
    '$table_begin'(Table),
    repeat,
    '$table_pass'(Goal, Kept, Table),
    '$table_settled', !.

% The clauses, then what waits for answers of the group, if this call is its leader.
'$table_pass'(Goal, Kept, Table) :-
    '$table_pass_begins',
    '$table_run'(Goal, Table, Kept),
    '$table_found'(Table, Kept),
    fail.
'$table_pass'(_, _, _) :-
    repeat,
    (   '$table_work'(Consumer, Work)
    ->  '$table_resumed'(Work, Consumer)
    ;   !
    ).

% Goes on with each answer that is new to a consumer; fails when there are no more.
'$table_resumed'('$cont$'(Frames, Answer, Table, Kept), Consumer) :-
    repeat,
    (   '$table_take'(Consumer, Found)
    ->  Answer = Found
    ;   !, fail
    ),
    '$table_run'(Frames, Table, Kept),
    '$table_found'(Table, Kept),
    fail.

% An answer for a table. Fails where it need not be joined with another.
'$table_found'(Table, Kept) :-
    '$table_add'(Table, Kept, Old),
    Old \== [],
    '$table_join'(Table, Old, Kept, Joined),
    '$table_replace'(Table, Joined).

% Answers found later are seen too, while there may be any.  The choice point behind
% '$table_next' is the one that keeps the table.
'$table_answers'(Table, From, Answer) :-
    '$table_next'(Table, From, At, More),
    (   More == true
    ->  (   '$table_answer'(Table, At, Answer)
        ;   Next is At+1,
            '$table_answers'(Table, Next, Answer)
        )
    ;   More == false
    ->  '$table_answer'(Table, At, Answer)
    ;   '$table_exhausted'(Table)
    ).

% Joined: Old with each value that New brings joined to it; fails if that changes nothing.
'$table_join'(Table, Old, New, Joined) :-
    '$table_joins'(Table, Joins),
    Old =.. [Functor|Olds],
    New =.. [_|News],
    length(Joins, N),
    length(OldValues, N),
    append(Indices, OldValues, Olds),
    length(NewValues, N),
    append(_, NewValues, News),
    '$table_values'(Joins, OldValues, NewValues, Values),
    Values \== OldValues,
    append(Indices, Values, All),
    Joined =.. [Functor|All].

'$table_values'([], [], [], []).
'$table_values'([Join|Joins], [Old|Olds], [New|News], [Value|Values]) :-
    '$table_value'(Join, Old, New, Value),
    '$table_values'(Joins, Olds, News, Values).

'$table_value'(min, Old, New, Value) :-
    ( New @< Old -> Value = New ; Value = Old ).
'$table_value'(max, Old, New, Value) :-
    ( New @> Old -> Value = New ; Value = Old ).
'$table_value'(first, Old, _, Old).
'$table_value'(last, _, New, New).
'$table_value'(lattice(Pred), Old, New, Value) :-
    ( call(Pred, Old, New, Joined) -> Value = Joined ; Value = Old ).
'$table_value'(po(Pred), Old, New, Value) :-
    ( call(Pred, Old, New) -> Value = New ; Value = Old ).
