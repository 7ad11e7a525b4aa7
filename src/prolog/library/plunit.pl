% plunit.pl: unit tests, in the form of SWI-Prolog's library of this name.

%! run_tests
%  Runs all tests that are loaded, reports those that don't pass, and is true if all
%  pass.  Tests stand in a file between begin_tests(Unit) and end_tests(Unit):
%
%      :- begin_tests(arithmetic).
%      test(add, X =:= 4) :- X is 2 + 2.
%      test(zero, error(evaluation_error(_))) :- _ is 1 / 0.
%      :- end_tests(arithmetic).
run_tests :-
    '$test_units'(Units),
    '$run_tests'(Units).

%! run_tests(+Spec)
%  The same for a unit, a test given as Unit:Test, or a list of those.
run_tests(Spec) :-
    '$test_specs'(Spec, Specs, []),
    '$run_tests'(Specs).

'$test_specs'(Spec, Specs, Tail) :-
    (   var(Spec)
    ->  throw(error(instantiation_error, context(run_tests/1, _)))
    ;   Spec == []
    ->  Specs = Tail
    ;   Spec = [First|Rest]
    ->  '$test_specs'(First, Specs, More),
        '$test_specs'(Rest, More, Tail)
    ;   '$test_spec_unit'(Spec, Unit),
        (   '$test_unit'(Unit, _, _, _, _)
        ->  Specs = [Spec|Tail]
        ;   throw(error(existence_error(unit_test, Unit), context(run_tests/1, _)))
        )
    ).

'$test_spec_unit'(Spec, Unit) :-
    (   Spec = Unit0:_
    ->  Unit = Unit0
    ;   Unit = Spec
    ),
    must_be(atom, Unit).

'$run_tests'(Specs) :-
    '$tests_begin'(Mark),
    '$run_guarded'('$run_specs'(Specs)),
    '$tests_end'(Mark).

'$run_specs'([]).
'$run_specs'([Spec|Specs]) :-
    (   Spec = Name:Wanted
    ->  true
    ;   Name = Spec
    ),
    '$test_unit'(Name, Unit, Module, Options, Size),
    '$run_unit'(Unit, Module, Options, Size, Wanted),
    '$run_specs'(Specs).

'$run_unit'(Unit, Module, Options, Size, Wanted) :-
    (   Options == '$problem'
    ->  '$end_each'(Unit, Size, Wanted, unit_problem)
    ;   memberchk(blocked(Why), Options)
    ->  '$end_each'(Unit, Size, Wanted, blocked(Why))
    ;   '$test_prepare'(Options, Module, Ready),
        (   Ready == ready
        ->  '$run_each'(Unit, Module, Size, Wanted),
            '$test_clean_up'(Options, Module)
        ;   Ready = around(What, Goal, Result)
        ->  '$end_each'(Unit, Size, Wanted, unit_around(What, Goal, Result))
        ;   '$end_each'(Unit, Size, Wanted, Ready)
        )
    ).

% The tests of a unit that are wanted, all with the same result.
'$end_each'(Unit, Size, Wanted, Result) :-
    Last is Size - 1,
    (   between(0, Last, N),
        '$test'(Unit, N, Name, _, Goal),
        '$test_wanted'(Wanted, Name),
        '$test_begin'(Unit, N, none),
        '$test_end'(Result, Goal),
        fail
    ;   true
    ).

% Each test begins with nothing bound by the one before.
'$run_each'(Unit, Module, Size, Wanted) :-
    Last is Size - 1,
    (   between(0, Last, N),
        '$test'(Unit, N, Name, Options, Goal),
        '$test_wanted'(Wanted, Name),
        '$run_test'(Unit, Module, N, Options, Goal),
        fail
    ;   true
    ).

'$test_wanted'(Wanted, Name) :-
    (   \+ Wanted \= Name
    ->  true
    ;   is_list(Wanted),
        memberchk(Name, Wanted)
    ).

'$run_test'(Unit, Module, N, Options0, Goal) :-
    (   Options0 == '$problem'
    ->  '$test_begin'(Unit, N, none),
        '$test_end'(problem, Goal)
    ;   '$test_options'(Options0, Options),
        (   memberchk(forall(Generator), Options)
        ->  term_variables(Generator, Vars),
            '$test_call'(findall(Vars, Module:Generator, Instances), Result),
            '$run_instances'(Result, Instances, Vars, Unit, Module, N, Options, Goal)
        ;   '$run_once'(Unit, Module, N, none, Options, Goal)
        )
    ).

'$run_instances'(true(_), Instances, Vars, Unit, Module, N, Options, Goal) :-
    !,
    (   Instances == []
    ->  '$test_begin'(Unit, N, none),
        '$test_end'(no_instance, Goal)
    ;   member(Vars, Instances),
        '$run_once'(Unit, Module, N, Vars, Options, Goal),
        fail
    ;   true
    ).
'$run_instances'(Result, _, _, Unit, _, N, Options, Goal) :-
    '$test_begin'(Unit, N, none),
    memberchk(forall(Generator), Options),
    '$test_end'(around(forall, Generator, Result), Goal).

'$run_once'(Unit, Module, N, Instance, Options, Goal) :-
    '$test_begin'(Unit, N, Instance),
    (   memberchk(timeout(Seconds), Options)
    ->  '$test_time'(Seconds)
    ;   true
    ),
    (   memberchk(blocked(Why), Options)
    ->  Result = blocked(Why)
    ;   '$test_prepare'(Options, Module, Ready),
        (   Ready == ready
        ->  copy_term(Goal, Asked),
            '$test_judge'(Options, Module, Goal, Asked, Result),
            '$test_clean_up'(Options, Module)
        ;   Result = Ready
        )
    ),
    '$test_end'(Result, Goal).

% Options as they are meant: X == Y is true(X == Y).
'$test_options'(Options0, Options) :-
    (   is_list(Options0)
    ->  '$test_options_'(Options0, Options)
    ;   '$test_option'(Options0, Option),
        Options = [Option]
    ).

'$test_options_'([], []).
'$test_options_'([O0|Os0], [O|Os]) :-
    '$test_option'(O0, O),
    '$test_options_'(Os0, Os).

'$test_option'(A == B, true(A == B)) :- !.
'$test_option'(A = B, true(A = B)) :- !.
'$test_option'(A =@= B, true(A =@= B)) :- !.
'$test_option'(A =:= B, true(A =:= B)) :- !.
'$test_option'(true, true(true)) :- !.
'$test_option'(error(E), throws(error(E, _))) :- !.
'$test_option'(error(E, C), throws(error(E, C))) :- !.
'$test_option'(exception(E), throws(E)) :- !.
'$test_option'(Option, Option).

% Whether condition and setup let a unit or test run.
'$test_prepare'(Options, Module, Ready) :-
    (   memberchk(condition(Condition), Options)
    ->  '$test_call'(Module:Condition, Result),
        (   Result = true(_)
        ->  '$test_set_up'(Options, Module, Ready)
        ;   Result == false
        ->  Ready = skipped
        ;   Ready = around(condition, Condition, Result)
        )
    ;   '$test_set_up'(Options, Module, Ready)
    ).

'$test_set_up'(Options, Module, Ready) :-
    (   memberchk(setup(Setup), Options)
    ->  '$test_call'(Module:Setup, Result),
        (   Result = true(_)
        ->  Ready = ready
        ;   Ready = around(setup, Setup, Result)
        )
    ;   Ready = ready
    ).

'$test_clean_up'(Options, Module) :-
    (   memberchk(cleanup(Cleanup), Options)
    ->  '$test_call'(Module:Cleanup, Result),
        (   Result = true(_)
        ->  true
        ;   '$test_warn'(cleanup, Cleanup, Result)
        )
    ;   true
    ).

'$test_judge'(Options, Module, Goal, Asked, Result) :-
    (   '$test_answers'(Options, Kind, Compared)
    ->  '$judge_answers'(Kind, Compared, Module, Goal, Result)
    ;   memberchk(fail, Options)
    ->  '$test_call'(Module:Goal, Came),
        (   Came == false
        ->  Result = passed(true)
        ;   Came = true(_)
        ->  Result = succeeded
        ;   Result = Came
        )
    ;   memberchk(throws(Expected), Options)
    ->  '$test_call'(Module:Goal, Came),
        (   Came = raised(Ball, Key)
        ->  (   subsumes_term(Expected, Ball)
            ->  Result = passed(true)
            ;   Result = wrong_error(Expected, Key)
            )
        ;   Came = stopped(_)
        ->  Result = Came
        ;   Result = no_error(Expected, Came)
        )
    ;   memberchk(true(Condition), Options)
    ->  '$judge_true'(Condition, Module, Goal, Asked, Result)
    ;   '$judge_true'(true, Module, Goal, Asked, Result)
    ).

'$judge_true'(Condition, Module, Goal, Asked, Result) :-
    '$test_call'(Module:Goal, Came),
    (   Came = true(Det)
    ->  '$test_call'(Module:Condition, Holds),
        (   Holds = true(_)
        ->  Result = passed(Det)
        ;   Holds == false
        ->  Result = wrong(Condition)
        ;   Result = around(true, Condition, Holds)
        )
    ;   Came == false
    ->  Result = failed(Asked)
    ;   Result = Came
    ).

'$test_answers'(Options, all, Compared) :-
    memberchk(all(Compared), Options),
    !.
'$test_answers'(Options, set, Compared) :-
    memberchk(set(Compared), Options),
    !.
'$test_answers'(Options, bag, Compared) :-
    memberchk(bag(Compared), Options).

'$judge_answers'(Kind, Compared, Module, Goal, Result) :-
    Compared =.. [Op, Template, Expected0],
    '$test_call'(findall(Template, Module:Goal, Got0), Came),
    (   Came = true(_)
    ->  '$test_call'('$answers_agree'(Kind, Op, Expected0, Got0, Expected, Got, Agree), Done),
        (   Done \= true(_)
        ->  Result = around(Kind, Compared, Done)
        ;   Agree == true
        ->  Result = passed(true)
        ;   Result = answers(Kind, Op, Expected, Got)
        )
    ;   Result = Came
    ).

'$answers_agree'(Kind, Op, Expected0, Got0, Expected, Got, Agree) :-
    '$answers_in_order'(Kind, Expected0, Expected),
    '$answers_in_order'(Kind, Got0, Got),
    (   '$answers_same'(Expected, Got, Op)
    ->  Agree = true
    ;   Agree = false
    ).

'$answers_in_order'(all, Answers, Answers).
'$answers_in_order'(set, Answers, Sorted) :-
    sort(Answers, Sorted).
'$answers_in_order'(bag, Answers, Sorted) :-
    msort(Answers, Sorted).

'$answers_same'([], [], _).
'$answers_same'([E|Es], [G|Gs], Op) :-
    call(Op, E, G),
    '$answers_same'(Es, Gs, Op).

%! current_test_unit(?Unit, ?Options)
%  Unit is a unit of tests that is loaded, with these options.
current_test_unit(Unit, Options) :-
    '$test_units'(Units),
    member(Unit, Units),
    '$test_unit'(Unit, _, _, Options, _).

%! current_test(?Unit, ?Test, ?Line, ?Body, ?Options)
%  Test is a test of Unit that is loaded, at Line of its file.
current_test(Unit, Name, Line, Module:Body, Options) :-
    '$test_units'(Units),
    member(Unit, Units),
    '$test_unit'(Unit, U, Module, _, Size),
    Last is Size - 1,
    between(0, Last, N),
    '$test'(U, N, Name, Options0, Body),
    '$test_options'(Options0, Options),
    '$test_line'(U, N, Line).

%! set_test_options(+Options)
%  Accepted, as of SWI-Prolog's library; tests are run when they are asked for.
set_test_options(Options) :-
    must_be(list, Options).

%! load_test_files(+Options)
%  Loads the tests beside each file that is loaded: those of `graph.pl` stand in
%  `graph.plt`.
load_test_files(_) :-
    '$load_test_files'.
