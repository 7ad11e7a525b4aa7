% lists.pl: predicates on lists.
%
% Everything here is ordinary Prolog, laid out for a machine that indexes on
% the first argument: a helper takes the list it walks first, and carries the
% head of the list apart from its tail where the last element should leave no
% choice point behind.  Length, sorting, list tests, memberchk/2, numlist/3, sum_list/2,
% max_list/2, min_list/2 and list_to_set/2 are built in; reverse/2 and nth0/3 where
% the list is known.

%! append(?Xs, ?Ys, ?Zs)
%  Zs is the list Xs followed by Ys.
%  ?- append(Xs, [c], [a,b,c]).
%  Xs = [a,b].
append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

%! append(+Lists, ?List)
%  List is the concatenation of a list of lists.
%  ?- append([[a],[],[b,c]], L).
%  L = [a,b,c].
append(Lists, List) :-
    must_be(list, Lists),
    '$append'(Lists, List).

'$append'([], []).
'$append'([Xs|Lists], Zs) :-
    append(Xs, Ys, Zs),
    '$append'(Lists, Ys).

%! prefix(?Part, ?Whole)
%  Part is a leading part of the list Whole.
%  ?- findall(P, prefix(P, [a,b]), Ps).
%  Ps = [[],[a],[a,b]].
prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).

%! member(?X, ?List)
%  X is an element of List.
%  ?- findall(X, member(X, [a,b]), Xs).
%  Xs = [a,b].
member(X, [Y|Ys]) :-
    (   atomic(X)
    ->  '$member_atomic'(Ys, Y, X)
    ;   '$member'(Ys, Y, X)
    ).

'$member'(_, X, X).
'$member'([Y|Ys], _, X) :-
    '$member'(Ys, Y, X).

% Elements that can't be the constant X are passed over without a choice point.
'$member_atomic'(Ys, Y, X) :-
    (   Y == X
    ->  '$member_hit'(Ys, Y, X)
    ;   var(Y)
    ->  '$member_hit'(Ys, Y, X)
    ;   Ys = [Z|Zs],
        '$member_atomic'(Zs, Z, X)
    ).

'$member_hit'(_, X, X).
'$member_hit'([Y|Ys], _, X) :-
    '$member_atomic'(Ys, Y, X).

%! select(?X, ?List, ?Rest)
%  Rest is List without one occurrence of X.
%  ?- findall(X-R, select(X, [a,b], R), L).
%  L = [a-[b],b-[a]].
select(X, [Y|Ys], Rest) :-
    (   atomic(X)
    ->  '$select_atomic'(Ys, Y, X, Rest)
    ;   '$select'(Ys, Y, X, Rest)
    ).

'$select'(Ys, X, X, Ys).
'$select'([Z|Zs], Y, X, [Y|Rest]) :-
    '$select'(Zs, Z, X, Rest).

'$select_atomic'(Ys, Y, X, Rest) :-
    (   Y == X
    ->  '$select_hit'(Ys, Y, X, Rest)
    ;   var(Y)
    ->  '$select_hit'(Ys, Y, X, Rest)
    ;   Rest = [Y|Rest1],
        Ys = [Z|Zs],
        '$select_atomic'(Zs, Z, X, Rest1)
    ).

'$select_hit'(Ys, X, X, Ys).
'$select_hit'([Z|Zs], Y, X, [Y|Rest]) :-
    '$select_atomic'(Zs, Z, X, Rest).

%! selectchk(?X, +List, ?Rest)
%  As select/3, first answer only.
%  ?- selectchk(b, [a,b,c,b], R).
%  R = [a,c,b].
selectchk(X, List, Rest) :-
    select(X, List, Rest0), !,
    Rest = Rest0.

%! select(?X, ?Xs, ?Y, ?Ys)
%  Xs and Ys are alike but for one place, where X stands in Xs and Y in Ys.
%  ?- select(b, [a,b,c], x, L).
%  L = [a,x,c].
select(X, Xs, Y, Ys) :-
    '$select4'(Xs, X, Y, Ys).

'$select4'([X|Zs], X, Y, [Y|Zs]).
'$select4'([Z|Xs], X, Y, [Z|Ys]) :-
    '$select4'(Xs, X, Y, Ys).

%! selectchk(?X, ?Xs, ?Y, ?Ys)
%  As select/4, first answer only.
%  ?- selectchk(b, [b,b], x, L).
%  L = [x,b].
selectchk(X, Xs, Y, Ys) :-
    select(X, Xs, Y, Ys), !.

%! subtract(+Xs, +Ys, -Zs)
%  The elements of Xs that are not in Ys.
%  ?- subtract([a,b,c,b], [b], L).
%  L = [a,c].
subtract([], _, []).
subtract([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  subtract(Xs, Ys, Zs)
    ;   Zs = [X|Zs1],
        subtract(Xs, Ys, Zs1)
    ).

%! intersection(+Xs, +Ys, -Zs)
%  The elements of Xs that are also in Ys.
%  ?- intersection([a,b,c], [c,a], L).
%  L = [a,c].
intersection([], _, []).
intersection([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  Zs = [X|Zs1],
        intersection(Xs, Ys, Zs1)
    ;   intersection(Xs, Ys, Zs)
    ).

%! union(+Xs, +Ys, -Zs)
%  The elements of Xs that are not in Ys, then Ys.
%  ?- union([a,b], [b,c], L).
%  L = [a,b,c].
union([], Ys, Ys).
union([X|Xs], Ys, Zs) :-
    (   memberchk(X, Ys)
    ->  union(Xs, Ys, Zs)
    ;   Zs = [X|Zs1],
        union(Xs, Ys, Zs1)
    ).

%! subset(+Xs, +Ys)
%  Each element of Xs is in Ys.
%  ?- subset([c,a], [a,b,c]).
%  true.
subset([], _).
subset([X|Xs], Ys) :-
    memberchk(X, Ys),
    subset(Xs, Ys).

%! delete(+List, ?X, -Rest)
%  Rest is List without the elements that unify with X; binds nothing.
%  ?- delete([a,b,a,c], a, L).
%  L = [b,c].
delete([], _, []).
delete([Y|Ys], X, Rest) :-
    (   Y \= X
    ->  Rest = [Y|Rest1],
        delete(Ys, X, Rest1)
    ;   delete(Ys, X, Rest)
    ).

%! permutation(?Xs, ?Ys)
%  Ys holds the elements of Xs in some order; one of the two has a length.
%  ?- findall(P, permutation([a,b,c], P), [_,P2|_]).
%  P2 = [a,c,b].
permutation(Xs, Ys) :-
    '$list_end'(Xs, XsEnd),
    '$list_end'(Ys, YsEnd),
    '$permutation'(XsEnd, YsEnd, Xs, Ys).

% What is known of the two ends decides which list gives the length.
'$permutation'(XsEnd, YsEnd, Xs, Ys) :-
    (   XsEnd == []
    ->  length(Xs, N),
        length(Ys, N),
        '$permute'(Ys, Xs)
    ;   nonvar(XsEnd)
    ->  type_error(list, Xs)
    ;   YsEnd == []
    ->  length(Ys, N),
        length(Xs, N),
        '$permute'(Ys, Xs)
    ;   nonvar(YsEnd)
    ->  type_error(list, Ys)
    ;   length(Xs, N),
        length(Ys, N),
        '$permute'(Ys, Xs)
    ).

'$permute'([], []).
'$permute'([Y|Ys], Xs) :-
    select(Y, Xs, Rest),
    '$permute'(Ys, Rest).

%! nth0(?I, ?List, ?X)
%  X is element I of List, counted from 0.
%  ?- nth0(I, [a,b,c], b).
%  I = 1.
nth0(I, List, X) :-
    (   integer(I)
    ->  I >= 0,
        '$nth0'(I, List, X)
    ;   var(I)
    ->  List = [Y|Ys],
        '$nth'(Ys, Y, X, 0, I)
    ;   type_error(integer, I)
    ).

%! nth1(?I, ?List, ?X)
%  X is element I of List, counted from 1.
%  ?- findall(I-X, nth1(I, [a,b], X), L).
%  L = [1-a,2-b].
nth1(I, List, X) :-
    (   integer(I)
    ->  I >= 1,
        I0 is I-1,
        '$nth0'(I0, List, X)
    ;   var(I)
    ->  List = [Y|Ys],
        '$nth'(Ys, Y, X, 1, I)
    ;   type_error(integer, I)
    ).

'$nth'(Ys, Y, X, I0, I) :-
    (   atomic(X)
    ->  '$nth_atomic'(Ys, Y, X, I0, I)
    ;   '$nth_any'(Ys, Y, X, I0, I)
    ).

'$nth_any'(_, X, X, I, I).
'$nth_any'([Y|Ys], _, X, I0, I) :-
    I1 is I0+1,
    '$nth_any'(Ys, Y, X, I1, I).

% The index of a constant: other constants are passed over without a choice point.
'$nth_atomic'(Ys, Y, X, I0, I) :-
    (   Y == X
    ->  '$nth_hit'(Ys, Y, X, I0, I)
    ;   var(Y)
    ->  '$nth_hit'(Ys, Y, X, I0, I)
    ;   Ys = [Z|Zs],
        I1 is I0+1,
        '$nth_atomic'(Zs, Z, X, I1, I)
    ).

'$nth_hit'(_, X, X, I, I).
'$nth_hit'([Y|Ys], _, X, I0, I) :-
    I1 is I0+1,
    '$nth_atomic'(Ys, Y, X, I1, I).

%! nth0(?I, ?List, ?X, ?Rest)
%  X is element I of List, counted from 0, and Rest the others.
%  ?- nth0(1, L, x, [a,b]).
%  L = [a,x,b].
nth0(I, List, X, Rest) :-
    (   integer(I)
    ->  must_be(nonneg, I),
        '$nth0_rest'(I, List, X, Rest)
    ;   var(I)
    ->  '$nth_rest'(List, X, Rest, 0, I)
    ;   must_be(nonneg, I)
    ).

%! nth1(?I, ?List, ?X, ?Rest)
%  X is element I of List, counted from 1, and Rest the others.
%  ?- nth1(I, [a,b,c], b, R).
%  I = 2, R = [a,c].
nth1(I, List, X, Rest) :-
    (   integer(I)
    ->  must_be(positive_integer, I),
        I0 is I-1,
        '$nth0_rest'(I0, List, X, Rest)
    ;   var(I)
    ->  '$nth_rest'(List, X, Rest, 1, I)
    ;   must_be(positive_integer, I)
    ).

'$nth0_rest'(I, [Y|Ys], X, Rest) :-
    (   I =:= 0
    ->  X = Y,
        Rest = Ys
    ;   Rest = [Y|Rest1],
        I1 is I-1,
        '$nth0_rest'(I1, Ys, X, Rest1)
    ).

'$nth_rest'([Y|Ys], X, Rest, I0, I) :-
    '$nth_rest'(Ys, Y, X, Rest, I0, I).

'$nth_rest'(Ys, X, X, Ys, I, I).
'$nth_rest'([Z|Zs], Y, X, [Y|Rest], I0, I) :-
    I1 is I0+1,
    '$nth_rest'(Zs, Z, X, Rest, I1, I).

%! last(?List, ?X)
%  X is the last element of List.
%  ?- last([a,b,c], X).
%  X = c.
last([X|Xs], Last) :-
    '$last'(Xs, X, Last).

'$last'([], X, X).
'$last'([X|Xs], _, Last) :-
    '$last'(Xs, X, Last).

%! nextto(?X, ?Y, ?List)
%  Y stands right after X in List.
%  ?- nextto(b, Y, [a,b,c]).
%  Y = c.
nextto(X, Y, [Z|Zs]) :-
    '$nextto'(Zs, Z, X, Y).

'$nextto'([Y|_], X, X, Y).
'$nextto'([Z|Zs], _, X, Y) :-
    '$nextto'(Zs, Z, X, Y).

%! reverse(?Xs, ?Ys)
%  Ys is Xs backwards.
%  ?- reverse([a,b,c], L).
%  L = [c,b,a].
reverse(Xs, Ys) :-
    (   '$reversed'(Xs, Reversed)
    ->  Ys = Reversed
    ;   var(Ys)
    ->  '$reverse'(Xs, [], Ys)
    ;   '$reverse'(Xs, Ys, [], Ys)
    ).

'$reverse'([], Ys, Ys).
'$reverse'([X|Xs], Acc, Ys) :-
    '$reverse'(Xs, [X|Acc], Ys).

% The second list is as long as the result: it bounds the walk when Xs is open.
'$reverse'([], [], Ys, Ys).
'$reverse'([X|Xs], [_|Bound], Acc, Ys) :-
    '$reverse'(Xs, Bound, [X|Acc], Ys).

%! same_length(?Xs, ?Ys)
%  Two lists with as many elements.
%  ?- same_length([a,b], L), L = [x|_].
%  L = [x,_].
same_length([], []).
same_length([_|Xs], [_|Ys]) :-
    same_length(Xs, Ys).

%! proper_length(@List, -N)
%  List is a proper list of N elements; fails for anything else.
%  ?- proper_length([a|_], N).
%  false.
proper_length(List, N) :-
    is_list(List),
    length(List, N).

%! flatten(+Tree, -List)
%  The elements of a list of lists of lists …, in order.
%  ?- flatten([a,[b,[c]],[]], L).
%  L = [a,b,c].
flatten(Tree, List) :-
    '$flatten'(Tree, [], List0),
    List = List0.

'$flatten'(Tree, Tail, List) :-
    (   var(Tree)
    ->  List = [Tree|Tail]
    ;   Tree == []
    ->  List = Tail
    ;   Tree = [X|Xs]
    ->  '$flatten'(X, Mid, List),
        '$flatten'(Xs, Tail, Mid)
    ;   List = [Tree|Tail]
    ).

%! max_member(-Max, +List)
%  The largest element in the standard order of terms.
%  ?- max_member(M, [3,a,"s",f(x)]).
%  M = f(x).
max_member(Max, [X|Xs]) :-
    '$max_member'(Xs, X, Max).

'$max_member'([], Max, Max).
'$max_member'([X|Xs], Max0, Max) :-
    (   X @=< Max0
    ->  '$max_member'(Xs, Max0, Max)
    ;   '$max_member'(Xs, X, Max)
    ).

%! min_member(-Min, +List)
%  The smallest element in the standard order of terms.
%  ?- min_member(M, [b,a,c]).
%  M = a.
min_member(Min, [X|Xs]) :-
    '$min_member'(Xs, X, Min).

'$min_member'([], Min, Min).
'$min_member'([X|Xs], Min0, Min) :-
    (   X @>= Min0
    ->  '$min_member'(Xs, Min0, Min)
    ;   '$min_member'(Xs, X, Min)
    ).

%! max_member(:LessOrEqual, -Max, +List)
%  The largest element when call(LessOrEqual, X, Y) orders the elements.
%  ?- max_member(@=<, M, [b,c,a]).
%  M = c.
max_member(Pred, Max, [X|Xs]) :-
    '$max_member'(Xs, X, Pred, Max).

'$max_member'([], Max, _, Max).
'$max_member'([X|Xs], Max0, Pred, Max) :-
    (   call(Pred, X, Max0)
    ->  '$max_member'(Xs, Max0, Pred, Max)
    ;   '$max_member'(Xs, X, Pred, Max)
    ).

%! min_member(:LessOrEqual, -Min, +List)
%  The smallest element when call(LessOrEqual, X, Y) orders the elements.
%  ?- min_member(@=<, M, [b,c,a]).
%  M = a.
min_member(Pred, Min, [X|Xs]) :-
    '$min_member'(Xs, X, Pred, Min).

'$min_member'([], Min, _, Min).
'$min_member'([X|Xs], Min0, Pred, Min) :-
    (   call(Pred, Min0, X)
    ->  '$min_member'(Xs, Min0, Pred, Min)
    ;   '$min_member'(Xs, X, Pred, Min)
    ).

%! is_set(@Set)
%  Set is a proper list in which no two elements are identical.
%  ?- is_set([a,b,a]).
%  false.
is_set(Set) :-
    is_list(Set),
    length(Set, N),
    sort(Set, Sorted),
    length(Sorted, N).

%! clumped(+Items, -Counts)
%  How often each of a run of identical items follows itself.
%  ?- clumped([a,a,b], L).
%  L = [a-2,b-1].
clumped([], []).
clumped([X|Xs], Counts) :-
    '$clumped'(Xs, X, 1, Counts).

'$clumped'([], X, N, [X-N]).
'$clumped'([Y|Ys], X, N, Counts) :-
    (   Y == X
    ->  N1 is N+1,
        '$clumped'(Ys, X, N1, Counts)
    ;   Counts = [X-N|Counts1],
        '$clumped'(Ys, Y, 1, Counts1)
    ).

%! subseq(+List, ?Part, ?Rest)
%  Part and Rest are the elements of List, each kept in order, dealt out in two.
%  ?- findall(P-R, subseq([a,b], P, R), L).
%  L = [[]-[a,b],[b]-[a],[a]-[b],[a,b]-[]].
subseq([], [], []).
subseq([X|Xs], Part, [X|Rest]) :-
    subseq(Xs, Part, Rest).
subseq([X|Xs], [X|Part], Rest) :-
    subseq(Xs, Part, Rest).

%! transpose(+Rows, -Columns)
%  The columns of a matrix that is given as a list of rows.
%  ?- transpose([[1,2,3],[4,5,6]], T).
%  T = [[1,4],[2,5],[3,6]].
transpose(Rows, Columns) :-
    must_be(list(list), Rows),
    '$columns'(Rows, Columns).

'$columns'([], []).
'$columns'([Row|Rows], Columns) :-
    '$transpose'(Row, [Row|Rows], Columns).

'$transpose'([], _, []).
'$transpose'([_|Row], Rows, [Column|Columns]) :-
    '$heads_tails'(Rows, Column, Tails),
    '$transpose'(Row, Tails, Columns).

'$heads_tails'([], [], []).
'$heads_tails'([[X|Xs]|Rows], [X|Column], [Xs|Tails]) :-
    '$heads_tails'(Rows, Column, Tails).
