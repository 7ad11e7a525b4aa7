% all_solutions.pl: bagof/3 and setof/3 (ISO 13211-1, 8.10.2 and 8.10.3).
%
% The answers are collected once, as Witness-Item pairs, where the witness holds
% the free variables of the goal.  Pairs whose witnesses are variants of each
% other make one answer each.

%! bagof(?Template, :Goal, -List)
%  The instances of Template for the answers of Goal, one List for each way to
%  bind the variables that are free in Goal; Var^Goal takes Var out of them.
%  Fails when there is no answer.
%  ?- findall(K-L, bagof(X, member(X-K, [1-a,2-b,3-a]), L), R).
%  R = [a-[1,3],b-[2]].
bagof(Template, Goal, List) :-
    '$must_be_partial_list'(List),
    '$free_variables'(Goal, Template, Called, Free),
    (   Free == []
    ->  findall(Template, Called, Items),
        Items \== [],
        List = Items
    ;   Witness =.. [v|Free],
        findall(Witness-Template, Called, Pairs),
        Pairs \== [],
        '$bag'(Pairs, Witness, List)
    ).

%! setof(?Template, :Goal, -List)
%  As bagof/3, each List sorted and without duplicates.
%  ?- setof(X, K^member(X-K, [2-a,1-b,2-c]), L).
%  L = [1,2].
setof(Template, Goal, List) :-
    '$must_be_partial_list'(List),
    '$free_variables'(Goal, Template, Called, Free),
    (   Free == []
    ->  findall(Template, Called, Items),
        Items \== [],
        sort(Items, Sorted),
        List = Sorted
    ;   Witness =.. [v|Free],
        findall(Witness-Template, Called, Pairs),
        Pairs \== [],
        '$bag'(Pairs, Witness, Items),
        sort(Items, Sorted),
        List = Sorted
    ).

'$must_be_partial_list'(List) :-
    '$list_end'(List, End),
    (   var(End)
    ->  true
    ;   End == []
    ->  true
    ;   type_error(list, List)
    ).

% '$free_variables'(Goal, Template, Called, Free): Called is Goal without the
% V^ in front; Free are its variables that occur neither in Template nor in a V.
'$free_variables'(Goal, Template, Called, Free) :-
    '$strip_carets'(Goal, Template, Called, Bound),
    term_variables(Bound, BoundVars),
    term_variables(Called, Vars),
    '$other_variables'(Vars, BoundVars, Free).

'$strip_carets'(Goal, Bound0, Called, Bound) :-
    (   var(Goal)
    ->  instantiation_error(Goal)
    ;   Goal = V^Goal1
    ->  '$strip_carets'(Goal1, V^Bound0, Called, Bound)
    ;   Goal = Module:Goal1, nonvar(Goal1), Goal1 = V^Goal2
    ->  '$strip_carets'(Module:Goal2, V^Bound0, Called, Bound)
    ;   Called = Goal,
        Bound = Bound0
    ).

'$bag'(Pairs, Witness, Items) :-
    (   '$ground_keys'(Pairs)
    ->  keysort(Pairs, Sorted),
        group_pairs_by_key(Sorted, Groups)
    ;   '$group_variants'(Pairs, Groups0),
        keysort(Groups0, Groups)
    ),
    '$pick'(Groups, Witness, Items).

'$ground_keys'([]).
'$ground_keys'([W-_|Pairs]) :-
    ground(W),
    '$ground_keys'(Pairs).

'$pick'([W-Items0|Groups], Witness, Items) :-
    '$pick'(Groups, W, Items0, Witness, Items).

'$pick'([], W, Items, W, Items).
'$pick'([_|_], W, Items, W, Items).
'$pick'([W-Items0|Groups], _, _, Witness, Items) :-
    '$pick'(Groups, W, Items0, Witness, Items).

% Witnesses with variables: take the variants of the first out of the others,
% and make the variables of all of them the same.
'$group_variants'([], []).
'$group_variants'([W-X|Pairs], [W-[X|Xs]|Groups]) :-
    '$variants'(Pairs, W, Xs, Rest),
    '$group_variants'(Rest, Groups).

'$variants'([], _, [], []).
'$variants'([W-X|Pairs], W0, Xs, Rest) :-
    (   W =@= W0
    ->  W = W0,
        Xs = [X|Xs1],
        '$variants'(Pairs, W0, Xs1, Rest)
    ;   Rest = [W-X|Rest1],
        '$variants'(Pairs, W0, Xs, Rest1)
    ).
