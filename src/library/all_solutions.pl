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
        sort(Items, List)
    ;   Witness =.. [v|Free],
        findall(Witness-Template, Called, Pairs),
        Pairs \== [],
        '$bag'(Pairs, Witness, Items),
        sort(Items, List)
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
    keysort(Pairs, Sorted),
    (   '$ground_keys'(Sorted)
    ->  '$pick_ground'(Sorted, Witness, Items)
    ;   '$pick_variant'(Sorted, Witness, Items)
    ).

'$ground_keys'([]).
'$ground_keys'([W-_|Pairs]) :-
    ground(W),
    '$ground_keys'(Pairs).

% Ground witnesses: those that are alike stand side by side.
'$pick_ground'([W-X|Pairs], Witness, Items) :-
    '$same_key'(Pairs, W, Xs, Rest),
    '$pick_ground'(Rest, W, [X|Xs], Witness, Items).

'$pick_ground'([], Witness, Items, Witness, Items).
'$pick_ground'([_|_], Witness, Items, Witness, Items).
'$pick_ground'([Pair|Pairs], _, _, Witness, Items) :-
    '$pick_ground'([Pair|Pairs], Witness, Items).

% Witnesses with variables: take the variants of the first out of the others,
% and make the variables of all of them the same.
'$pick_variant'([W-X|Pairs], Witness, Items) :-
    '$variants'(Pairs, W, Same, Rest),
    '$pick_variant'(Rest, W, X, Same, Witness, Items).

'$pick_variant'([], W, X, Same, Witness, Items) :-
    '$pick_this'(W, X, Same, Witness, Items).
'$pick_variant'([_|_], W, X, Same, Witness, Items) :-
    '$pick_this'(W, X, Same, Witness, Items).
'$pick_variant'([Pair|Pairs], _, _, _, Witness, Items) :-
    '$pick_variant'([Pair|Pairs], Witness, Items).

'$pick_this'(W, X, Same, W, [X|Xs]) :-
    '$unify_keys'(Same, W, Xs).

'$variants'([], _, [], []).
'$variants'([W-X|Pairs], W0, Same, Rest) :-
    (   W =@= W0
    ->  Same = [W-X|Same1],
        '$variants'(Pairs, W0, Same1, Rest)
    ;   Rest = [W-X|Rest1],
        '$variants'(Pairs, W0, Same, Rest1)
    ).

'$unify_keys'([], _, []).
'$unify_keys'([W-X|Pairs], W, [X|Xs]) :-
    '$unify_keys'(Pairs, W, Xs).
