% coroutining.pl: goals that wait for variables, over attributed variables.
%
% The machine notes what attributed variables are bound to, and calls '$wakeup'/1 before the next goal.

'$wakeup'([]).
'$wakeup'([Goal|Goals]) :-
    '$woken'(Goal),
    '$wakeup'(Goals).

'$woken'(wakeup(Attributes, Value)) :-
    '$unify_hooks'(Attributes, Value).
'$woken'(call(Goal)) :-
    call(Goal).

'$unify_hooks'([], _).
'$unify_hooks'(att(Module, Attribute, Attributes), Value) :-
    '$unify_hook'(Module, Attribute, Value),
    '$unify_hooks'(Attributes, Value).

'$unify_hook'(Module, Attribute, Value) :-
    (   Module == freeze
    ->  '$freeze_hook'(Attribute, Value)
    ;   Module == dif
    ->  '$dif_hook'(Attribute, Value)
    ;   Module == when
    ->  '$when_hook'(Attribute, Value)
    ;   '$is_native'(Module)
    ->  true
    ;   '$hook'(Module, attr_unify_hook, 2, Hook)
    ->  call(Hook, Attribute, Value)
    ;   existence_error(procedure, Module:attr_unify_hook/2)
    ).

'$in_user'(Goal, Called) :-
    (   nonvar(Goal), Goal = _:_
    ->  Called = Goal
    ;   Called = user:Goal
    ).

%! freeze(?Variable, :Goal)
%  Goal is called when Variable is bound: at once if it is no variable.
%  ?- freeze(X, Y = seen), X = 1.
%  X = 1, Y = seen.
freeze(X, Goal) :-
    (   nonvar(X)
    ->  call(Goal)
    ;   '$in_user'(Goal, Called),
        '$freeze'(X, Called)
    ).

'$freeze'(X, Goal) :-
    (   get_attr(X, freeze, Goals)
    ->  put_attr(X, freeze, '$and'(Goals, Goal))
    ;   put_attr(X, freeze, Goal)
    ).

'$freeze_hook'(Goals, Value) :-
    (   var(Value)
    ->  '$freeze'(Value, Goals)
    ;   '$thaw'(Goals)
    ).

'$thaw'(Goals) :-
    (   Goals = '$and'(First, Second)
    ->  '$thaw'(First),
        '$thaw'(Second)
    ;   call(Goals)
    ).

%! frozen(@Term, -Goal)
%  Goal is the conjunction of the goals that wait for variables in Term, and of what else is known about
%  them; true if there are none.
%  ?- freeze(X, true), frozen(X, freeze(_, G)), X = a.
%  X = a, G = user:true.
frozen(Term, Goal) :-
    term_attvars(Term, Variables),
    '$residual_goals'(Variables, Goals),
    sort(Goals, Sorted),
    '$conjoined'(Sorted, Goal0),
    Goal = Goal0.

'$conjoined'([], true).
'$conjoined'([Goal|Goals], Conjunction) :-
    (   Goals == []
    ->  Conjunction = Goal
    ;   Conjunction = (Goal, Rest),
        '$conjoined'(Goals, Rest)
    ).

%! dif(?X, ?Y)
%  X and Y are different, and stay so: true at once if they can't be made equal, false as soon as they
%  are identical.
%  ?- dif(X, a), member(X, [a,b]).
%  X = b.
dif(X, Y) :-
    (   unifiable(X, Y, Pairs)
    ->  Pairs = [Left=Right|_],
        '$dif_watch'(Pairs, '$dif'(X, Y, _, Left, Right))
    ;   true
    ).

% '$dif'(X, Y, Done, Left, Right): X and Y are different. Left and Right are a part of them that is neither
% equal nor different yet: as long as that is so, nothing is to be done.
'$dif_watch'([], _).
'$dif_watch'([X=Y|Pairs], Dif) :-
    '$dif_add'(X, Dif),
    (   var(Y)
    ->  '$dif_add'(Y, Dif)
    ;   true
    ),
    '$dif_watch'(Pairs, Dif).

'$dif_add'(X, Dif) :-
    (   get_attr(X, dif, Difs)
    ->  arg(3, Dif, Done),
        (   '$known'(Difs, Done)
        ->  true
        ;   put_attr(X, dif, [Dif|Difs])
        )
    ;   put_attr(X, dif, [Dif])
    ).

% Each has a variable of its own for the third argument.
'$known'([Known|Others], Done) :-
    (   arg(3, Known, Its),
        Its == Done
    ->  true
    ;   '$known'(Others, Done)
    ).

'$dif_hook'(Difs, Value) :-
    (   var(Value)
    ->  '$dif_join'(Difs, Value)
    ;   true
    ),
    '$dif_check'(Difs).

'$dif_join'([], _).
'$dif_join'([Dif|Difs], Value) :-
    '$dif_join'(Difs, Value),
    (   arg(3, Dif, Done),
        var(Done)
    ->  '$dif_add'(Value, Dif)
    ;   true
    ).

'$dif_check'([]).
'$dif_check'([Dif|Difs]) :-
    Dif = '$dif'(X, Y, Done, Left, Right),
    (   nonvar(Done)
    ->  true
    ;   Left \== Right,
        '$is_open'(Left, Right)
    ->  true
    ;   unifiable(X, Y, Pairs)
    ->  Pairs = [Left1=Right1|_],
        setarg(4, Dif, Left1),
        setarg(5, Dif, Right1),
        '$dif_watch'(Pairs, Dif)
    ;   Done = true
    ),
    '$dif_check'(Difs).

'$is_open'(X, Y) :-
    (   var(X)
    ->  true
    ;   var(Y)
    ).

%! when(+Condition, :Goal)
%  Goal is called as soon as Condition is true: nonvar(X), ground(Term), ?=(X, Y), or several of them
%  with (,)/2 and (;)/2.
%  ?- when(ground(X+Y), Z is X+Y), X = 1, Y = 2.
%  X = 1, Y = 2, Z = 3.
when(Condition, Goal) :-
    '$in_user'(Goal, Called),
    '$when_left'(Condition, Left),
    (   Left == true
    ->  call(Called)
    ;   '$when_watch'(Left, '$when'(Left, Called, _))
    ).

% '$when_left'(Condition, Left): what is left of a condition; true if it holds.
'$when_left'(Condition, Left) :-
    (   var(Condition)
    ->  instantiation_error(Condition)
    ;   '$when_left_of'(Condition, Left0)
    ->  Left = Left0
    ;   domain_error(when_condition, Condition)
    ).

'$when_left_of'(nonvar(X), Left) :-
    (   nonvar(X)
    ->  Left = true
    ;   Left = nonvar(X)
    ).
'$when_left_of'(ground(X), Left) :-
    (   ground(X)
    ->  Left = true
    ;   Left = ground(X)
    ).
'$when_left_of'(?=(X, Y), Left) :-
    (   ?=(X, Y)
    ->  Left = true
    ;   Left = ?=(X, Y)
    ).
'$when_left_of'((A, B), Left) :-
    '$when_left'(A, A1),
    '$when_left'(B, B1),
    (   A1 == true
    ->  Left = B1
    ;   B1 == true
    ->  Left = A1
    ;   Left = (A1, B1)
    ).
'$when_left_of'((A ; B), Left) :-
    '$when_left'(A, A1),
    '$when_left'(B, B1),
    (   A1 == true
    ->  Left = true
    ;   B1 == true
    ->  Left = true
    ;   Left = (A1 ; B1)
    ).

% '$when_watch'(Condition, When): the variables that Condition waits for know of it.
'$when_watch'(nonvar(X), When) :-
    '$when_add'(X, When).
'$when_watch'(ground(Term), When) :-
    nonground(Term, X),
    '$when_add'(X, When).
'$when_watch'(?=(X, Y), When) :-
    unifiable(X, Y, Pairs),
    '$when_watch_pairs'(Pairs, When).
'$when_watch'((A, _), When) :-
    '$when_watch'(A, When).
'$when_watch'((A ; B), When) :-
    '$when_watch'(A, When),
    '$when_watch'(B, When).

'$when_watch_pairs'([], _).
'$when_watch_pairs'([X=Y|Pairs], When) :-
    '$when_add'(X, When),
    (   var(Y)
    ->  '$when_add'(Y, When)
    ;   true
    ),
    '$when_watch_pairs'(Pairs, When).

'$when_add'(X, When) :-
    (   get_attr(X, when, Whens)
    ->  arg(3, When, Done),
        (   '$known'(Whens, Done)
        ->  true
        ;   append(Whens, [When], More),
            put_attr(X, when, More)
        )
    ;   put_attr(X, when, [When])
    ).

% The goals that wait for the variable come before those that wait for the other one.
'$when_hook'(Whens, Value) :-
    (   var(Value)
    ->  (   get_attr(Value, when, Others0)
        ->  '$when_join'(Whens, Others0, Others),
            del_attr(Value, when),
            put_attr(Value, when, Others)
        ;   put_attr(Value, when, Whens)
        )
    ;   true
    ),
    '$when_check'(Whens).

% Each once: those of the second list that the first has are left out.
'$when_join'(Whens, Others, Joined) :-
    '$when_new'(Others, Whens, New),
    append(Whens, New, Joined).

'$when_new'([], _, []).
'$when_new'([When|Whens], Known, New) :-
    (   arg(3, When, Done),
        var(Done),
        \+ '$known'(Known, Done)
    ->  New = [When|New1]
    ;   New = New1
    ),
    '$when_new'(Whens, Known, New1).

'$when_check'([]).
'$when_check'([When|Whens]) :-
    When = '$when'(Condition, Goal, Done),
    (   nonvar(Done)
    ->  true
    ;   '$when_left'(Condition, Left),
        (   Left == true
        ->  Done = true,
            call(Goal)
        ;   setarg(1, When, Left),
            '$when_watch'(Left, When)
        )
    ),
    '$when_check'(Whens).

%! copy_term(+Term, -Copy, -Goals)
%  Copy is Term with new variables that have no attributes; Goals would give them those that
%  the variables of Term have.
%  ?- freeze(X, true), copy_term(X, Y, Goals), X = a, Y = b.
%  X = a, Y = b, Goals = [freeze(b,user:true)].
copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Variables),
    (   Variables == []
    ->  Goals = [],
        copy_term_nat(Term, Copy)
    ;   '$residual_goals'(Variables, Residual),
        copy_term_nat(Term-Residual, Copy-Goals)
    ).

%! copy_term(+Variables, +Term, -NewVariables, -Copy)
%  As copy_term/2, but only the variables in Variables are renamed.
%  ?- copy_term([X], f(X,Y), [A], T).
%  T = f(A,Y).
copy_term(Variables, Term, NewVariables, Copy) :-
    '$kept_variables'(Variables, Term, Kept),
    copy_term(f(Kept, Variables, Term), f(Kept, NewVariables, Copy)).

%! copy_term_nat(+Variables, +Term, -NewVariables, -Copy)
%  As copy_term/4, without attributes.
%  ?- copy_term_nat([X], f(X,Y), [A], T).
%  T = f(A,Y).
copy_term_nat(Variables, Term, NewVariables, Copy) :-
    '$kept_variables'(Variables, Term, Kept),
    copy_term_nat(f(Kept, Variables, Term), f(Kept0, NewVariables, Copy)),
    Kept0 = Kept.

'$kept_variables'(Variables, Term, Kept) :-
    term_variables(Variables, Renamed),
    term_variables(Term, All),
    '$other_variables'(All, Renamed, Kept).

%! call_residue_vars(:Goal, -Variables)
%  As Goal; Variables are the attributed variables that it made and left, or put attributes on.
%  ?- call_residue_vars(freeze(X, true), [V]), V = a.
%  X = a, V = a.
call_residue_vars(Goal, Variables) :-
    '$residue_mark'(Mark),
    call(Goal),
    '$residue_since'(Mark, Variables).

% '$answer_goals'(Values, Goals): what is left to be shown of an answer.
'$answer_goals'(Values, Goals) :-
    term_attvars(Values, Variables),
    '$residual_goals'(Variables, Goals0),
    '$without_user'(Goals0, Goals).

'$without_user'([], []).
'$without_user'([Goal0|Goals0], [Goal|Goals]) :-
    (   '$called_later'(Goal0, Goal1)
    ->  Goal = Goal1
    ;   Goal = Goal0
    ),
    '$without_user'(Goals0, Goals).

'$called_later'(freeze(X, user:Goal), freeze(X, Goal)).
'$called_later'(when(Condition, user:Goal), when(Condition, Goal)).

% '$residual_goals'(Variables, Goals): what is known about variables, as goals.
'$residual_goals'(Variables, Goals) :-
    '$residual'(Variables, Variables, [], _, Goals).

'$residual'([], _, Seen, Seen, []).
'$residual'([X|Xs], All, Seen0, Seen, Goals) :-
    (   get_attrs(X, Attributes)
    ->  '$residual_of'(Attributes, X, All, Seen0, Seen1, Goals, Goals1)
    ;   Seen1 = Seen0,
        Goals1 = Goals
    ),
    '$residual'(Xs, All, Seen1, Seen, Goals1).

'$residual_of'([], _, _, Seen, Seen, Goals, Goals).
'$residual_of'(att(Module, Value, Attributes), X, All, Seen0, Seen, Goals, Rest) :-
    '$residual_of_module'(Module, Value, X, All, Seen0, Seen1, Goals, Goals1),
    '$residual_of'(Attributes, X, All, Seen1, Seen, Goals1, Rest).

'$residual_of_module'(Module, Value, X, All, Seen0, Seen, Goals, Rest) :-
    (   Module == freeze
    ->  Seen = Seen0,
        '$freeze_goals'(Value, X, Goals, Rest)
    ;   Module == dif
    ->  reverse(Value, Difs),
        '$dif_goals'(Difs, Seen0, Seen, Goals, Rest)
    ;   Module == when
    ->  '$when_goals'(Value, Seen0, Seen, Goals, Rest)
    ;   '$is_native'(Module)
    ->  (   '$is_new'(Seen0, native(Module))
        ->  Seen = [native(Module)|Seen0],
            '$native_goals'(Module, All, Own),
            '$qualified'(Own, Module, Goals, Rest)
        ;   Seen = Seen0,
            Goals = Rest
        )
    ;   Seen = Seen0,
        '$hook'(Module, attribute_goals, 3, Hook),
        call(Hook, X, Known, [])
    ->  append(Known, Rest, Goals)
    ;   Goals = [put_attr(X, Module, Value)|Rest]
    ).

'$qualified'([], _, Goals, Goals).
'$qualified'([Goal|Own], Module, [Module:Goal|Goals], Rest) :-
    '$qualified'(Own, Module, Goals, Rest).

'$freeze_goals'(Goal, X, Goals, Rest) :-
    (   Goal = '$and'(First, Second)
    ->  '$freeze_goals'(First, X, Goals, Goals1),
        '$freeze_goals'(Second, X, Goals1, Rest)
    ;   Goals = [freeze(X, Goal)|Rest]
    ).

'$dif_goals'([], Seen, Seen, Goals, Goals).
'$dif_goals'(['$dif'(X, Y, Done, _, _)|Difs], Seen0, Seen, Goals, Rest) :-
    (   var(Done),
        '$is_new'(Seen0, Done),
        unifiable(X, Y, Pairs)
    ->  (   var(X),
            var(Y)
        ->  Goal = dif(X, Y)
        ;   reverse(Pairs, Ordered),
            '$dif_goal'(Ordered, Goal)
        ),
        Goals = [Goal|Goals1]
    ;   Goals = Goals1
    ),
    '$dif_goals'(Difs, [Done|Seen0], Seen, Goals1, Rest).

'$dif_goal'(Pairs, Goal) :-
    (   Pairs = [X=Y]
    ->  Goal = dif(X, Y)
    ;   '$sides'(Pairs, Xs, Ys),
        Left =.. [f|Xs],
        Right =.. [f|Ys],
        Goal = dif(Left, Right)
    ).

'$sides'([], [], []).
'$sides'([X=Y|Pairs], [X|Xs], [Y|Ys]) :-
    '$sides'(Pairs, Xs, Ys).

'$when_goals'([], Seen, Seen, Goals, Goals).
'$when_goals'(['$when'(Condition, Goal, Done)|Whens], Seen0, Seen, Goals, Rest) :-
    (   var(Done),
        '$is_new'(Seen0, Done)
    ->  '$when_left'(Condition, Left),
        Goals = [when(Left, Goal)|Goals1]
    ;   Goals = Goals1
    ),
    '$when_goals'(Whens, [Done|Seen0], Seen, Goals1, Rest).

'$is_new'([], _).
'$is_new'([Seen|Others], Done) :-
    Seen \== Done,
    '$is_new'(Others, Done).
