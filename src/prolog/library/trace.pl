% trace.pl: the tracer. A call of a predicate of the user's, while somebody traces, is a
% call of the box below (L. Byrd 1980); the steps '$trace_…' tell of its ports.

% Site is where the call stands in the code. The second alternative is the way out to the
% Fail port. '$trace_fail'/2 is true when the call is to be made again.
'$traced_call'(Goal, Site) :-
    '$trace_frame'(Goal, Site, Frame),
    '$traced'(Frame, Goal).

'$traced'(Frame, Goal) :-
    '$trace_height'(H),
    (   '$trace_call'(Frame, H),
        '$traced_goal'(Frame, Goal, H)
    ;   '$trace_fail'(Frame, H),
        '$traced'(Frame, Goal)
    ).

% Above the height H stands the choice point of the alternative above; if that is all
% that stands there, Goal has no other answer and the box is closed for good.
'$traced_goal'(Frame, Goal, H) :-
    catch('$traced_original'(Goal), Ball, '$traced_exception'(Frame, H, Ball)),
    '$trace_height'(H1),
    (   H1 =:= H+1
    ->  '$trace_exit'(Frame, H),
        '$trace_drop'(H)
    ;   '$traced_exit'(Frame, H)
    ).

'$traced_exit'(Frame, H) :-
    '$trace_exit'(Frame, H).
'$traced_exit'(Frame, H) :-
    '$trace_redo'(Frame, H).

'$traced_exception'(Frame, H, Ball) :-
    '$trace_exception'(Frame, H, Ball),
    throw(Ball).

%! trace(:Goal)
%  Goal, with every port of its calls shown: Call, Exit, Redo, Fail, Exception. With
%  Name/Arity for Goal, or a list of such, the ports of these predicates are shown in
%  passing from here on.
trace(Goal) :-
    (   '$trace_specification'(Goal)
    ->  trace(Goal, all)
    ;   '$trace_state'(Was),
        '$trace_goal'(Goal, Was)
    ).

'$trace_goal'(Goal, Was) :-
    '$trace_height'(H),
    (   trace,
        catch(Goal, Ball, '$trace_threw'(Was, Ball))
    ;   '$trace_back'(Was),
        fail
    ),
    '$trace_height'(H1),
    (   H1 =:= H+1
    ->  '$trace_back'(Was),
        '$trace_drop'(H)
    ;   '$trace_between'(Was)
    ).

% Between two answers of the goal the outer state is in force.
'$trace_between'(Was) :-
    '$trace_back'(Was).
'$trace_between'(_) :-
    trace,
    fail.

'$trace_threw'(Was, Ball) :-
    '$trace_back'(Was),
    '$trace_thrown',
    throw(Ball).

'$trace_specification'(Goal) :-
    nonvar(Goal),
    (   Goal = [First|_]
    ->  '$trace_specification'(First)
    ;   Goal = (_/_)
    ).

%! trace(:Predicates, +Ports)
%  Shows these ports of the predicates in passing: call, exit, redo, fail, exception, or
%  all; -Port not any more.
trace(Predicates, Ports) :-
    '$trace_predicates'(Predicates, Found),
    '$trace_changes'(Ports, Changes),
    '$trace_points'(Found, Changes).

'$trace_points'([], _).
'$trace_points'([Name/Arity|Rest], Changes) :-
    '$trace_point_changes'(Changes, Name, Arity),
    '$trace_points'(Rest, Changes).

'$trace_point_changes'([], _, _).
'$trace_point_changes'([Port-On|Rest], Name, Arity) :-
    '$trace_point'(Name, Arity, Port, On),
    '$trace_point_changes'(Rest, Name, Arity).

%! spy(:Predicates)
%  Calls of the predicates, Name/Arity or Name or a list of such, are looked out for: the
%  tracer stops there.
spy(Predicates) :-
    '$trace_predicates'(Predicates, Found),
    '$spy_all'(Found).

'$spy_all'([]).
'$spy_all'([Name/Arity|Rest]) :-
    '$spy'(Name, Arity, []),
    '$spy_all'(Rest).

%! spy(+Head, :Condition)
%  As spy/1, only for calls that are instances of Head and for which Condition holds.
spy(Head, Condition) :-
    must_be(callable, Head),
    must_be(callable, Condition),
    functor(Head, Name, Arity),
    '$trace_predicates'(Name/Arity, _),
    '$spy'(Name, Arity, Head-Condition).

%! nospy(:Predicates)
%  Calls of the predicates are not looked out for any more.
nospy(Predicates) :-
    '$trace_predicates'(Predicates, Found),
    '$nospy_all'(Found).

'$nospy_all'([]).
'$nospy_all'([Name/Arity|Rest]) :-
    '$nospy'(Name, Arity),
    '$nospy_all'(Rest).

% Name/Arity of each predicate meant.
'$trace_predicates'(Predicates, _) :-
    var(Predicates), !,
    instantiation_error(Predicates).
'$trace_predicates'([], []) :- !.
'$trace_predicates'([First|Rest], Found) :- !,
    '$trace_predicates'(First, Found1),
    '$trace_predicates'(Rest, Found2),
    append(Found1, Found2, Found).
'$trace_predicates'(_:Predicates, Found) :- !,
    '$trace_predicates'(Predicates, Found).
'$trace_predicates'(Name/Arity, Found) :- !,
    must_be(atom, Name),
    (   var(Arity)
    ->  true
    ;   must_be(nonneg, Arity)
    ),
    '$trace_named'(Name, Arity, Found).
'$trace_predicates'(Name, Found) :-
    must_be(atom, Name),
    '$trace_named'(Name, _, Found).

'$trace_named'(Name, Arity, Found) :-
    '$trace_arities'(Name, Arity, Arities),
    (   Arities = [_|_]
    ->  findall(Name/A, member(A, Arities), Found)
    ;   var(Arity)
    ->  existence_error(procedure, Name)
    ;   existence_error(procedure, Name/Arity)
    ).

%! leash(+Ports)
%  At which ports the tracer asks: call, exit, redo, fail, exception, all, none; +Port and
%  -Port change it.
leash(Ports) :-
    '$trace_set'(leash, Ports).

%! visible(+Ports)
%  Which ports the tracer shows, as leash/1 has them.
visible(Ports) :-
    '$trace_set'(visible, Ports).

'$trace_set'(Which, Ports) :-
    (   '$trace_relative'(Ports)
    ->  true
    ;   forall('$trace_port'(Port), '$trace_ports'(Which, Port, false))
    ),
    '$trace_changes'(Ports, Changes),
    forall(member(Port-On, Changes), '$trace_ports'(Which, Port, On)).

'$trace_relative'(Ports) :-
    nonvar(Ports),
    (   Ports = +(_)
    ;   Ports = -(_)
    ;   Ports = [First|_],
        '$trace_relative'(First)
    ), !.

% Port-true or Port-false for each port that a specification names.
'$trace_changes'(Ports, _) :-
    var(Ports), !,
    instantiation_error(Ports).
'$trace_changes'([], []) :- !.
'$trace_changes'([First|Rest], Changes) :- !,
    '$trace_changes'(First, Changes1),
    '$trace_changes'(Rest, Changes2),
    append(Changes1, Changes2, Changes).
'$trace_changes'(-Ports, Changes) :- !,
    '$trace_changes'(Ports, Changes0),
    findall(Port-false, member(Port-_, Changes0), Changes).
'$trace_changes'(+Ports, Changes) :- !,
    '$trace_changes'(Ports, Changes).
'$trace_changes'(none, []) :- !.
'$trace_changes'(Word, Changes) :-
    ( Word == all ; Word == full ), !,
    findall(Port-true, '$trace_port'(Port), Changes).
'$trace_changes'(Port, [Port-true]) :-
    (   '$trace_port'(Port)
    ->  true
    ;   domain_error(port, Port)
    ).

'$trace_port'(call).
'$trace_port'(exit).
'$trace_port'(redo).
'$trace_port'(fail).
'$trace_port'(exception).

%! watch_state(+Pattern)
%  Engines tell of each time they ask for the moves of a state that is an instance of
%  Pattern: its cost so far, its estimate, where it came from. nowatch_states/0 ends it.
watch_state(Pattern) :-
    '$watch_state'(Pattern, true).

%! watch_state(+Pattern, :Condition)
%  As watch_state/1, only for states for which Condition holds.
watch_state(Pattern, Condition) :-
    must_be(callable, Condition),
    '$watch_state'(Pattern, Condition).

%! nodebugging
%  As nodebug/0.
nodebugging :-
    nodebug.

%! trace_tree(:Goal)
%  The first answer of Goal; the calls that led to it are shown as a tree.
trace_tree(Goal) :-
    trace_tree(Goal, []).

%! trace_tree(:Goal, +Options)
%  As trace_tree/1. Options: answers(N), or answers(all), looks for so many answers and
%  binds nothing; predicates(List) shows calls of these only, depth(N) so deep a tree,
%  lines(N) so many lines of it, calls(N) records so many calls, builtins(true) also
%  built-ins and library predicates that have nothing to tell.
trace_tree(Goal, Options) :-
    option(answers(Answers), Options, 1),
    option(predicates(Predicates0), Options, []),
    option(depth(Depth), Options, none),
    option(calls(Calls), Options, none),
    option(lines(Lines), Options, none),
    option(builtins(Builtins), Options, false),
    '$trace_predicates'(Predicates0, Predicates),
    (   '$tree_begin'(Predicates, Depth, Calls, Lines, Builtins)
    ->  '$observed'(Answers, Goal, '$tree_end')
    ;   '$answers'(Answers, Goal)
    ).

%! profile(:Goal)
%  The first answer of Goal; how its inferences are divided among the predicates is shown.
profile(Goal) :-
    profile(Goal, []).

%! profile(:Goal, +Options)
%  As profile/1. Options: every(N) looks at the stack every N inferences, not
%  at each at first and ever more rarely in long runs; answers(N) or
%  answers(all) looks for so many answers and binds nothing.
profile(Goal, Options) :-
    option(every(Every), Options, none),
    (   Every == none
    ->  true
    ;   must_be(positive_integer, Every)
    ),
    option(answers(Answers), Options, 1),
    (   '$profile_begin'(Every)
    ->  '$observed'(Answers, Goal, '$profile_end')
    ;   '$answers'(Answers, Goal)
    ).

% Ends the observation however the goal ends.
'$observed'(Answers, Goal, End) :-
    catch('$answers'(Answers, Goal), Ball, '$observed_threw'(End, Ball)), !,
    call(system:End).
'$observed'(_, _, End) :-
    call(system:End),
    fail.

'$observed_threw'(End, Ball) :-
    call(system:End),
    '$trace_thrown',
    throw(Ball).

'$answers'(1, Goal) :- !,
    call(Goal), !.
'$answers'(all, Goal) :- !,
    \+ \+ forall(Goal, true).
'$answers'(N, Goal) :-
    must_be(positive_integer, N),
    \+ \+ forall(limit(N, Goal), true).
