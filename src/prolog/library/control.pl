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
%  The first answer of Goal with Result = !, or Result = inference_limit_exceeded
%  when it takes about Limit inferences or more.
%  ?- call_with_inference_limit((repeat, fail), 1000, R).
%  R = inference_limit_exceeded.
call_with_inference_limit(Goal, Limit, Result) :-
    must_be(nonneg, Limit),
    '$call_within_inferences'(Goal, Limit, Result0),
    Result = Result0.

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
