% thread.pl: predicates of library(thread) that run goals at the same time where there are threads; here they run
% them one after the other.

%! concurrent_maplist(:Goal, ?List)
%  As maplist/2, with one answer for each element.
%  ?- concurrent_maplist(integer, [1,2]).
%  true.
concurrent_maplist(Goal, List) :-
    '$concurrent_all'(List, Goal).

'$concurrent_all'([], _).
'$concurrent_all'([X|Xs], Goal) :-
    once(call(Goal, X)),
    '$concurrent_all'(Xs, Goal).

%! concurrent_maplist(:Goal, ?List1, ?List2)
%  As maplist/3, with one answer for each pair.
%  ?- concurrent_maplist(succ, [1,2], L).
%  L = [2,3].
concurrent_maplist(Goal, List1, List2) :-
    maplist('$once_with'(Goal), List1, List2), !.

'$once_with'(Goal, X, Y) :-
    once(call(Goal, X, Y)).

%! concurrent_maplist(:Goal, ?List1, ?List2, ?List3)
%  As maplist/4, with one answer for each three.
%  ?- concurrent_maplist(plus, [1], [2], L).
%  L = [3].
concurrent_maplist(Goal, List1, List2, List3) :-
    maplist('$once_with'(Goal), List1, List2, List3), !.

'$once_with'(Goal, X, Y, Z) :-
    once(call(Goal, X, Y, Z)).

%! concurrent_forall(:Condition, :Action)
%  As forall/2.
%  ?- concurrent_forall(member(X, [1,2]), X > 0).
%  true.
concurrent_forall(Condition, Action) :-
    forall(Condition, Action).

%! concurrent_forall(:Condition, :Action, +Options)
%  As forall/2.
concurrent_forall(Condition, Action, _) :-
    forall(Condition, Action).

%! concurrent_and(:Generator, :Test)
%  As the conjunction of both.
%  ?- concurrent_and(member(X, [1,2]), X > 1).
%  X = 2.
concurrent_and(Generator, Test) :-
    call(Generator),
    call(Test).

%! concurrent_and(:Generator, :Test, +Options)
%  As concurrent_and/2.
concurrent_and(Generator, Test, _) :-
    concurrent_and(Generator, Test).

%! concurrent(+Threads, :Goals, +Options)
%  Each of the Goals once.
%  ?- concurrent(2, [X = 1, Y = 2], []).
%  X = 1, Y = 2.
concurrent(Threads, Goals, _) :-
    must_be(positive_integer, Threads),
    must_be(list, Goals),
    '$concurrent_goals'(Goals).

'$concurrent_goals'([]).
'$concurrent_goals'([Goal|Goals]) :-
    once(Goal),
    '$concurrent_goals'(Goals).

%! first_solution(-X, :Goals, +Options)
%  X is that of the first answer of one of the Goals, which are tried in their order. A goal that fails makes it fail,
%  unless Options has on_fail(continue); on_error(continue) goes on after an error.
%  ?- first_solution(X, [member(X, [a,b])], []).
%  X = a.
first_solution(X, Goals, Options) :-
    must_be(list, Goals),
    option(on_fail(OnFail), Options, stop),
    option(on_error(OnError), Options, stop),
    '$first_solution'(Goals, X, OnFail, OnError).

'$first_solution'([Goal|Goals], X, OnFail, OnError) :-
    catch(findall(X, once(Goal), Found), Error, true),
    (   nonvar(Error)
    ->  (   OnError == continue
        ->  '$first_solution'(Goals, X, OnFail, OnError)
        ;   throw(Error)
        )
    ;   Found = [X0]
    ->  X = X0
    ;   OnFail == continue
    ->  '$first_solution'(Goals, X, OnFail, OnError)
    ).
