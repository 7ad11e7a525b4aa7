% apply.pl: predicates that call a goal for each element of a list.
%
% The list stands first in every helper, so that the walk leaves no choice
% point of its own behind.

%! maplist(:Goal, ?Xs)
%  call(Goal, X) holds for the elements, place by place.
%  ?- maplist(atom, [a,b]).
%  true.
maplist(Goal, Xs) :-
    '$maplist'(Xs, Goal).

'$maplist'([], _).
'$maplist'([X|Xs], Goal) :-
    call(Goal, X),
    '$maplist'(Xs, Goal).

%! maplist(:Goal, ?Xs, ?Ys)
%  call(Goal, X, Y) holds for the elements, place by place.
%  ?- maplist(succ, [1,2], L).
%  L = [2,3].
maplist(Goal, Xs, Ys) :-
    '$maplist'(Xs, Ys, Goal).

'$maplist'([], [], _).
'$maplist'([X|Xs], [Y|Ys], Goal) :-
    call(Goal, X, Y),
    '$maplist'(Xs, Ys, Goal).

%! maplist(:Goal, ?Xs, ?Ys, ?Zs)
%  call(Goal, X, Y, Z) holds for the elements, place by place.
%  ?- maplist(plus, [1,2], [10,20], L).
%  L = [11,22].
maplist(Goal, Xs, Ys, Zs) :-
    '$maplist'(Xs, Ys, Zs, Goal).

'$maplist'([], [], [], _).
'$maplist'([X|Xs], [Y|Ys], [Z|Zs], Goal) :-
    call(Goal, X, Y, Z),
    '$maplist'(Xs, Ys, Zs, Goal).

%! maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us)
%  call(Goal, X, Y, Z, U) holds for the elements, place by place.
%  ?- maplist([X,Y,Z,U]>>(U is X+Y+Z), [1], [2], [3], L).
%  L = [6].
maplist(Goal, Xs, Ys, Zs, Us) :-
    '$maplist'(Xs, Ys, Zs, Us, Goal).

'$maplist'([], [], [], [], _).
'$maplist'([X|Xs], [Y|Ys], [Z|Zs], [U|Us], Goal) :-
    call(Goal, X, Y, Z, U),
    '$maplist'(Xs, Ys, Zs, Us, Goal).

%! maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us, ?Vs)
%  call(Goal, X, Y, Z, U, V) holds for the elements, place by place.
%  ?- maplist([X,Y,Z,U,V]>>(V is X+Y+Z+U), [1], [2], [3], [4], L).
%  L = [10].
maplist(Goal, Xs, Ys, Zs, Us, Vs) :-
    '$maplist'(Xs, Ys, Zs, Us, Vs, Goal).

'$maplist'([], [], [], [], [], _).
'$maplist'([X|Xs], [Y|Ys], [Z|Zs], [U|Us], [V|Vs], Goal) :-
    call(Goal, X, Y, Z, U, V),
    '$maplist'(Xs, Ys, Zs, Us, Vs, Goal).

%! maplist(:Goal, ?Xs, ?Ys, ?Zs, ?Us, ?Vs, ?Ws)
%  call(Goal, X, Y, Z, U, V, W) holds for the elements, place by place.
%  ?- maplist([X,Y,Z,U,V,W]>>(W is X+Y+Z+U+V), [1], [2], [3], [4], [5], L).
%  L = [15].
maplist(Goal, Xs, Ys, Zs, Us, Vs, Ws) :-
    '$maplist'(Xs, Ys, Zs, Us, Vs, Ws, Goal).

'$maplist'([], [], [], [], [], [], _).
'$maplist'([X|Xs], [Y|Ys], [Z|Zs], [U|Us], [V|Vs], [W|Ws], Goal) :-
    call(Goal, X, Y, Z, U, V, W),
    '$maplist'(Xs, Ys, Zs, Us, Vs, Ws, Goal).

%! foldl(:Goal, +Xs, +V0, -V)
%  From V0 to V by call(Goal, X, V1, V2) along the list.
%  ?- foldl(plus, [1,2,3], 0, S).
%  S = 6.
foldl(Goal, Xs, V0, V) :-
    '$foldl'(Xs, Goal, V0, V).

'$foldl'([], _, V, V).
'$foldl'([X|Xs], Goal, V0, V) :-
    call(Goal, X, V0, V1),
    '$foldl'(Xs, Goal, V1, V).

%! foldl(:Goal, +Xs, +Ys, +V0, -V)
%  From V0 to V by call(Goal, X, Y, V1, V2) along the lists.
%  ?- foldl([X,Y,S0,S]>>(S is S0+X*Y), [1,2], [3,4], 0, S).
%  S = 11.
foldl(Goal, Xs, Ys, V0, V) :-
    '$foldl'(Xs, Ys, Goal, V0, V).

'$foldl'([], [], _, V, V).
'$foldl'([X|Xs], [Y|Ys], Goal, V0, V) :-
    call(Goal, X, Y, V0, V1),
    '$foldl'(Xs, Ys, Goal, V1, V).

%! foldl(:Goal, +Xs, +Ys, +Zs, +V0, -V)
%  From V0 to V by call(Goal, X, Y, Z, V1, V2) along the lists.
%  ?- foldl([X,Y,Z,S0,S]>>(S is S0+X*Y*Z), [1,2], [3,4], [5,6], 0, S).
%  S = 63.
foldl(Goal, Xs, Ys, Zs, V0, V) :-
    '$foldl'(Xs, Ys, Zs, Goal, V0, V).

'$foldl'([], [], [], _, V, V).
'$foldl'([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, V) :-
    call(Goal, X, Y, Z, V0, V1),
    '$foldl'(Xs, Ys, Zs, Goal, V1, V).

%! foldl(:Goal, +Xs, +Ys, +Zs, +Us, +V0, -V)
%  From V0 to V by call(Goal, X, Y, Z, U, V1, V2) along the lists.
%  ?- foldl([X,Y,Z,U,S0,S]>>(S is S0+X+Y+Z+U), [1], [2], [3], [4], 0, S).
%  S = 10.
foldl(Goal, Xs, Ys, Zs, Us, V0, V) :-
    '$foldl'(Xs, Ys, Zs, Us, Goal, V0, V).

'$foldl'([], [], [], [], _, V, V).
'$foldl'([X|Xs], [Y|Ys], [Z|Zs], [U|Us], Goal, V0, V) :-
    call(Goal, X, Y, Z, U, V0, V1),
    '$foldl'(Xs, Ys, Zs, Us, Goal, V1, V).

%! include(:Goal, +List, -Kept)
%  The elements for which call(Goal, X) holds.
%  ?- include([X]>>(X > 1), [1,2,3], L).
%  L = [2,3].
include(Goal, List, Kept) :-
    '$include'(List, Goal, Kept).

'$include'([], _, []).
'$include'([X|Xs], Goal, Kept) :-
    (   call(Goal, X)
    ->  Kept = [X|Kept1],
        '$include'(Xs, Goal, Kept1)
    ;   '$include'(Xs, Goal, Kept)
    ).

%! exclude(:Goal, +List, -Kept)
%  The elements for which call(Goal, X) does not hold.
%  ?- exclude([X]>>(X > 1), [1,2,3], L).
%  L = [1].
exclude(Goal, List, Kept) :-
    '$exclude'(List, Goal, Kept).

'$exclude'([], _, []).
'$exclude'([X|Xs], Goal, Kept) :-
    (   call(Goal, X)
    ->  '$exclude'(Xs, Goal, Kept)
    ;   Kept = [X|Kept1],
        '$exclude'(Xs, Goal, Kept1)
    ).

%! partition(:Goal, +List, -In, -Out)
%  In are the elements for which call(Goal, X) holds, Out the others.
%  ?- partition([X]>>(X > 1), [1,2,3], I, O).
%  I = [2,3], O = [1].
partition(Goal, List, In, Out) :-
    '$partition'(List, Goal, In, Out).

'$partition'([], _, [], []).
'$partition'([X|Xs], Goal, In, Out) :-
    (   call(Goal, X)
    ->  In = [X|In1],
        '$partition'(Xs, Goal, In1, Out)
    ;   Out = [X|Out1],
        '$partition'(Xs, Goal, In, Out1)
    ).

%! partition(:Goal, +List, -Less, -Equal, -Greater)
%  call(Goal, X, Order) tells with <, = or > where an element goes.
%  ?- partition([X,O]>>compare(O, X, 2), [1,2,3], L, E, G).
%  L = [1], E = [2], G = [3].
partition(Goal, List, Less, Equal, Greater) :-
    '$partition'(List, Goal, Less, Equal, Greater).

'$partition'([], _, [], [], []).
'$partition'([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Order), !,
    '$partition_by'(Order, X, Xs, Goal, Less, Equal, Greater).

'$partition_by'(Order, X, Xs, Goal, Less, Equal, Greater) :-
    (   Order == (<)
    ->  Less = [X|Less1],
        '$partition'(Xs, Goal, Less1, Equal, Greater)
    ;   Order == (=)
    ->  Equal = [X|Equal1],
        '$partition'(Xs, Goal, Less, Equal1, Greater)
    ;   Order == (>)
    ->  Greater = [X|Greater1],
        '$partition'(Xs, Goal, Less, Equal, Greater1)
    ;   must_be(oneof([<,=,>]), Order)
    ).

%! convlist(:Goal, +Xs, -Ys)
%  The Y of call(Goal, X, Y) for those X for which it holds.
%  ?- convlist([X,Y]>>(X > 1, Y is X*X), [1,2,3], L).
%  L = [4,9].
convlist(Goal, Xs, Ys) :-
    '$convlist'(Xs, Goal, Ys).

'$convlist'([], _, []).
'$convlist'([X|Xs], Goal, Ys) :-
    (   call(Goal, X, Y)
    ->  Ys = [Y|Ys1],
        '$convlist'(Xs, Goal, Ys1)
    ;   '$convlist'(Xs, Goal, Ys)
    ).

%! apply(:Goal, +Arguments)
%  Calls Goal with a list of further arguments.
%  ?- apply(plus(1), [2,X]).
%  X = 3.
apply(Goal, Arguments) :-
    must_be(list, Arguments),
    must_be(callable, Goal),
    Goal =.. Parts,
    append(Parts, Arguments, Parts1),
    Called =.. Parts1,
    call(Called).

%! scanl(:Goal, +Xs, +V0, -Values), scanl(:Goal, +Xs, +Ys, +V0, -Values), scanl(:Goal, +Xs, +Ys, +Zs, +V0, -Values)
%  As foldl/4..6; Values has all values, from V0 on.
%  ?- scanl([X,A,B]>>(B is A+X), [1,2,3], 0, Vs).
%  Vs = [0,1,3,6].
scanl(Goal, Xs, V0, [V0|Values]) :-
    '$scanl'(Xs, Goal, V0, Values).

'$scanl'([], _, _, []).
'$scanl'([X|Xs], Goal, V0, [V|Values]) :-
    call(Goal, X, V0, V),
    '$scanl'(Xs, Goal, V, Values).

scanl(Goal, Xs, Ys, V0, [V0|Values]) :-
    '$scanl'(Xs, Ys, Goal, V0, Values).

'$scanl'([], [], _, _, []).
'$scanl'([X|Xs], [Y|Ys], Goal, V0, [V|Values]) :-
    call(Goal, X, Y, V0, V),
    '$scanl'(Xs, Ys, Goal, V, Values).

scanl(Goal, Xs, Ys, Zs, V0, [V0|Values]) :-
    '$scanl'(Xs, Ys, Zs, Goal, V0, Values).

'$scanl'([], [], [], _, _, []).
'$scanl'([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, [V|Values]) :-
    call(Goal, X, Y, Z, V0, V),
    '$scanl'(Xs, Ys, Zs, Goal, V, Values).
