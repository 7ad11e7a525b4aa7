% control.pl: control predicates that need nothing but call/N and catch/3.

%! once(:Goal)
%  The first answer of Goal, and no other.
%  ?- once(member(X, [a,b])).
%  X = a.
once(Goal) :-
    call(Goal), !.

%! ignore(:Goal)
%  The first answer of Goal, or true when there is none.
%  ?- ignore(fail).
%  true.
ignore(Goal) :-
    (   call(Goal)
    ->  true
    ;   true
    ).

%! not(:Goal)
%  Goal has no answer.
%  ?- not(member(x, [a,b])).
%  true.
not(Goal) :-
    \+ call(Goal).

%! call_cleanup(:Goal, :Cleanup)
%  As Goal; Cleanup runs once when Goal is done with: it failed, raised an
%  exception, succeeded for the last time, or was cut.
%  ?- catch(call_cleanup(throw(x), write(done)), x, true).
%  done
%  true.
call_cleanup(Goal, Cleanup) :-
    setup_call_cleanup(true, Goal, Cleanup).

%! setup_call_cleanup(:Setup, :Goal, :Cleanup)
%  As call_cleanup/2, with a first step whose failure means that nothing is done. What Cleanup raises after a cut,
%  or when Goal fails or has its last answer, is raised; after an exception of Goal that one is.
%  ?- setup_call_cleanup(true, member(X, [1,2]), write(done)).
%  X = 1.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, _, Cleanup).

%! setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup)
%  As setup_call_cleanup/3; Cleanup runs only if Catcher unifies with the way in which Goal ended:
%  exit, fail, exception(Ball), or ! when it was cut or left by an exception of another goal.
%  ?- setup_call_catcher_cleanup(true, member(X, [1]), How, true).
%  How = exit, X = 1.
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    once(Setup),
    (   var(Cleanup)
    ->  instantiation_error(Cleanup)
    ;   true
    ),
    '$call_with_catcher'(Goal, Catcher, Cleanup).

'$call_with_catcher'(Goal, Catcher, Cleanup) :-
    '$push_cleanup'('$caught'(!, Catcher, Cleanup), Height),
    catch(Goal, Ball, true),
    '$cleanup_state'(Height, Ball, State),
    (   State == waiting
    ->  true
    ;   State == done
    ->  !,
        '$caught'(exit, Catcher, Cleanup)
    ;   !,
        ignore(catch('$caught'(exception(Ball), Catcher, Cleanup), _, true)),
        throw(Ball)
    ).
'$call_with_catcher'(_, Catcher, Cleanup) :-
    '$caught'(fail, Catcher, Cleanup),
    fail.

'$caught'(How, Catcher, Cleanup) :-
    (   Catcher = How
    ->  '$cleanup'(Cleanup)
    ;   true
    ).

%! catch_with_backtrace(:Goal, ?Catcher, :Recovery)
%  As catch/3.
%  ?- catch_with_backtrace(throw(a), X, true).
%  X = a.
catch_with_backtrace(Goal, Catcher, Recovery) :-
    catch(Goal, Catcher, Recovery).

%! sig_atomic(:Goal)
%  As once/1: nothing interrupts a goal but a limit or Ctrl-C.
%  ?- sig_atomic(member(X, [1,2])).
%  X = 1.
sig_atomic(Goal) :-
    call(Goal), !.

'$cleanup'(Cleanup) :-
    (   call(Cleanup)
    ->  true
    ;   true
    ).

%! call_with_time_limit(+Seconds, :Goal)
%  The first answer of Goal; throws time_limit_exceeded when it is not found in time.
%  ?- catch(call_with_time_limit(0.1, (repeat, fail)), E, true).
%  E = time_limit_exceeded.
call_with_time_limit(Seconds, Goal) :-
    call_with_time_limit(Seconds, Goal, _).

%! call_with_time_limit(+Seconds, :Goal, +Context)
%  As call_with_time_limit/2; throws time_limit_exceeded(Context) if Context is bound.
%  ?- catch(call_with_time_limit(0.1, (repeat, fail), me), E, true).
%  E = time_limit_exceeded(me).
call_with_time_limit(Seconds, Goal, Context) :-
    must_be(number, Seconds),
    (   Seconds > 0
    ->  '$call_in_time'(Goal, Seconds, InTime)
    ;   InTime = false
    ),
    (   InTime == true
    ->  true
    ;   var(Context)
    ->  throw(time_limit_exceeded)
    ;   throw(time_limit_exceeded(Context))
    ).

%! call_with_inference_limit(:Goal, +Limit, -Result)
%  As Goal, with Result = true, or Result = ! for the last answer where that is known; Result = inference_limit_exceeded
%  when it takes about Limit inferences or more for an answer, and those before it.
%  ?- call_with_inference_limit((repeat, fail), 1000, R).
%  R = inference_limit_exceeded.
call_with_inference_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    (   var(Goal)
    ->  instantiation_error(Goal)
    ;   true
    ),
    statistics(inferences, Number),
    '$limited_call'(Goal, limits(Number, Limit, [], []), Result0),
    (   Result0 == true
    ->  true
    ;   !
    ),
    Result = Result0.

'$limited_call'(Goal, Limits, Result) :-
    '$note_limits'(Limits),
    catch('$limited_goal'(Goal, Limits, Result), Ball, '$limit_left'(Ball, Limits, Result)).
'$limited_call'(_, Limits, _) :-
    '$leave_limit'(Limits),
    fail.

'$limited_goal'(Goal, Limits, Result) :-
    '$enter_limit'(Limits),
    call_cleanup(Goal, Last = true),
    (   Last == true
    ->  Result = (!),
        '$leave_limit'(Limits)
    ;   Result = true,
        '$between_answers'(Limits)
    ).

% The limits around the goal hold until it is asked again; each answer may take as much.
'$between_answers'(Limits) :-
    '$leave_limit'(Limits).
'$between_answers'(Limits) :-
    '$note_limits'(Limits),
    '$enter_limit'(Limits),
    fail.

% What is noted outlives backtracking.
'$note_limits'(Limits) :-
    '$inference_limits'(Outer, OuterGoal),
    nb_setarg(3, Limits, Outer),
    nb_setarg(4, Limits, OuterGoal).

'$enter_limit'(limits(Number, Limit, _, _)) :-
    '$inference_limit'(Limit, Number).

'$leave_limit'(limits(_, _, Outer, OuterGoal)) :-
    '$inference_leave'(Outer, OuterGoal).

'$limit_left'(Ball, Limits, Result) :-
    '$leave_limit'(Limits),
    arg(1, Limits, Number),
    (   Ball == '$inference_limit_exceeded'(Number)
    ->  Result = inference_limit_exceeded
    ;   throw(Ball)
    ).

%! call_with_depth_limit(:Goal, +Limit, -Result)
%  As Goal, whose calls are no deeper than Limit: Goal is at depth 1, the goals of its clauses are at depth 2. Result is the
%  greatest depth so far. When no answer is left and a call was deeper, Result = depth_limit_exceeded. Predicates
%  of the system count as one call.
%  ?- call_with_depth_limit(true, 10, R).
%  R = 1.
call_with_depth_limit(Goal, Limit, Result) :-
    must_be(integer, Limit),
    strip_module(Goal, Module, Plain),
    Deepest = deepest(0),
    (   nonvar(Plain),
        '$is_control'(Plain)
    ->  Depth = 2
    ;   Depth = 1
    ),
    '$trace_height'(Height),
    (   '$depth_goal'(Plain, Module, Depth, Limit, Deepest),
        arg(1, Deepest, Result0),
        '$trace_height'(Now),
        (   Now =:= Height+1
        ->  '$trace_drop'(Height)
        ;   true
        ),
        Result = Result0
    ;   arg(1, Deepest, Reached),
        Reached > Limit,
        Result = depth_limit_exceeded
    ).

% A goal in which a cut is local.
'$depth_goal'(Goal, Module, Depth, Limit, Deepest) :-
    '$trace_height'(Height),
    '$depth_body'(Goal, Module, Height, Depth, Limit, Deepest).

'$depth_body'(Goal, M, H, D, L, S) :-
    (   var(Goal)
    ->  instantiation_error(Goal)
    ;   '$depth_control'(Goal, M, H, D, L, S, Steps)
    ->  call(Steps)
    ;   '$depth_call'(Goal, M, D, L, S)
    ).

% What is done for a control construct.
'$depth_control'((A, B), M, H, D, L, S,
                 ('$depth_body'(A, M, H, D, L, S), '$depth_body'(B, M, H, D, L, S))).
'$depth_control'((A ; B), M, H, D, L, S, Steps) :-
    (   nonvar(A),
        A = (If -> Then)
    ->  Steps = (   '$depth_goal'(If, M, D, L, S)
                ->  '$depth_body'(Then, M, H, D, L, S)
                ;   '$depth_body'(B, M, H, D, L, S)
                )
    ;   nonvar(A),
        A = (If *-> Then)
    ->  Steps = (   '$depth_goal'(If, M, D, L, S)
                *-> '$depth_body'(Then, M, H, D, L, S)
                ;   '$depth_body'(B, M, H, D, L, S)
                )
    ;   Steps = ( '$depth_body'(A, M, H, D, L, S) ; '$depth_body'(B, M, H, D, L, S) )
    ).
'$depth_control'((If -> Then), M, H, D, L, S,
                 ('$depth_goal'(If, M, D, L, S) -> '$depth_body'(Then, M, H, D, L, S))).
'$depth_control'((If *-> Then), M, H, D, L, S,
                 ('$depth_goal'(If, M, D, L, S), '$depth_body'(Then, M, H, D, L, S))).
'$depth_control'(\+ Goal, M, _, D, L, S, \+ '$depth_goal'(Goal, M, D, L, S)).
'$depth_control'(!, _, H, _, _, _, '$trace_drop'(H)).
'$depth_control'(call(Goal), M, _, D, L, S, '$depth_goal'(Goal, M, D, L, S)).
'$depth_control'(once(Goal), M, _, D, L, S, ('$depth_goal'(Goal, M, D, L, S) -> true)).
'$depth_control'(ignore(Goal), M, _, D, L, S, ( '$depth_goal'(Goal, M, D, L, S) -> true ; true )).
'$depth_control'(forall(C, A), M, _, D, L, S,
                 forall('$depth_goal'(C, M, D, L, S), '$depth_goal'(A, M, D, L, S))).
'$depth_control'(findall(T, G, Xs), M, _, D, L, S, findall(T, '$depth_goal'(G, M, D, L, S), Xs)).
'$depth_control'(catch(G, C, R), M, _, D, L, S,
                 catch('$depth_goal'(G, M, D, L, S), C, '$depth_goal'(R, M, D, L, S))).
'$depth_control'(M:Goal, _, H, D, L, S, '$depth_body'(Goal, M, H, D, L, S)) :-
    atom(M).

'$depth_call'(Goal, M, Depth, Limit, Deepest) :-
    arg(1, Deepest, Reached),
    (   Depth > Reached
    ->  nb_setarg(1, Deepest, Depth)
    ;   true
    ),
    Depth =< Limit,
    (   callable(Goal),
        predicate_property(M:Goal, number_of_clauses(_)),
        \+ predicate_property(M:Goal, system)
    ->  '$trace_height'(Height),
        clause(M:Goal, Body),
        (   Body == true
        ->  true
        ;   Depth1 is Depth+1,
            '$depth_body'(Body, M, Height, Depth1, Limit, Deepest)
        )
    ;   call(M:Goal)
    ).

'$throw_again'(Ball) :-
    (   var(Ball)
    ->  true
    ;   throw(Ball)
    ).

%! phrase(:Body, ?List)
%  The grammar body Body describes List.
%  ?- phrase(([a],[b]), L).
%  L = [a,b].
phrase(Body, List) :-
    phrase(Body, List, []).

%! phrase(:Body, ?List, ?Rest)
%  The grammar body Body describes what stands in List before Rest.
%  ?- phrase([a], [a,b], R).
%  R = [b].
phrase(Body, List, Rest) :-
    (   var(Body)
    ->  instantiation_error(Body)
    ;   callable(Body)
    ->  true
    ;   string(Body)
    ->  true
    ;   type_error(callable, Body)
    ),
    '$must_be_partial_list'(List),
    '$must_be_partial_list'(Rest),
    '$dcg_body'(Body, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Goal).

%! limit(+N, :Goal)
%  The first N answers of Goal.
%  ?- findall(X, limit(2, member(X, [a,b,c])), L).
%  L = [a,b].
limit(N, Goal) :-
    must_be(nonneg, N),
    '$limit'(N, Goal).

'$limit'(N, Goal) :-
    N > 0,
    State = count(0),
    call(Goal),
    arg(1, State, I0),
    I is I0 + 1,
    (   I =:= N
    ->  !
    ;   nb_setarg(1, State, I)
    ).

%! call_nth(:Goal, ?N)
%  The Nth answer of Goal, or each with its number.
%  ?- call_nth(member(X, [a,b,c]), 2).
%  X = b.
call_nth(Goal, N) :-
    State = count(0),
    (   integer(N)
    ->  N > 0,
        '$next_answer'(Goal, State, I),
        I =:= N, !
    ;   var(N)
    ->  '$next_answer'(Goal, State, N)
    ;   type_error(integer, N)
    ).

'$next_answer'(Goal, State, I) :-
    call(Goal),
    arg(1, State, I0),
    I is I0 + 1,
    nb_setarg(1, State, I).

%! repeat
%  True as often as it is asked.
%  ?- nb_setval(n, 0), repeat, nb_getval(n, N), N1 is N+1, nb_setval(n, N1), N1 >= 3, !.
%  N = 2, N1 = 3.
repeat.
repeat :- repeat.
