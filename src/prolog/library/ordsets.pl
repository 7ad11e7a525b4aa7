% ordsets.pl: sets as lists that are sorted by the standard order of terms and
% free of duplicates.

%! list_to_ord_set(+List, -Set)
%  The set of the elements of a list.
%  ?- list_to_ord_set([b,a,b], S).
%  S = [a,b].
list_to_ord_set(List, Set) :-
    sort(List, Set).

%! is_ordset(@Set)
%  Set is sorted and free of duplicates.
%  ?- is_ordset([a,b]).
%  true.
is_ordset(Set) :-
    is_list(Set),
    '$is_ordset'(Set).

'$is_ordset'([]).
'$is_ordset'([X|Xs]) :-
    '$is_ordset'(Xs, X).

'$is_ordset'([], _).
'$is_ordset'([Y|Ys], X) :-
    X @< Y,
    '$is_ordset'(Ys, Y).

%! ord_empty(?Set)
%  The set without elements.
%  ?- ord_empty(S).
%  S = [].
ord_empty([]).

%! ord_memberchk(+X, +Set)
%  X is an element of Set.
%  ?- ord_memberchk(b, [a,b,c]).
%  true.
ord_memberchk(X, [Y|Ys]) :-
    compare(Order, X, Y),
    '$ord_memberchk'(Order, X, Ys).

'$ord_memberchk'(=, _, _).
'$ord_memberchk'(>, X, Ys) :-
    ord_memberchk(X, Ys).

%! ord_add_element(+Set0, +X, -Set)
%  Set is Set0 with X.
%  ?- ord_add_element([a,c], b, S).
%  S = [a,b,c].
ord_add_element([], X, [X]).
ord_add_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    '$ord_add'(Order, X, Y, Ys, Set).

'$ord_add'(<, X, Y, Ys, [X,Y|Ys]).
'$ord_add'(=, _, Y, Ys, [Y|Ys]).
'$ord_add'(>, X, Y, Ys, [Y|Set]) :-
    ord_add_element(Ys, X, Set).

%! ord_del_element(+Set0, +X, -Set)
%  Set is Set0 without X.
%  ?- ord_del_element([a,b,c], b, S).
%  S = [a,c].
ord_del_element([], _, []).
ord_del_element([Y|Ys], X, Set) :-
    compare(Order, X, Y),
    '$ord_del'(Order, X, Y, Ys, Set).

'$ord_del'(<, _, Y, Ys, [Y|Ys]).
'$ord_del'(=, _, _, Ys, Ys).
'$ord_del'(>, X, Y, Ys, [Y|Set]) :-
    ord_del_element(Ys, X, Set).

%! ord_union(+Sets, -Set)
%  The union of a list of sets.
%  ?- ord_union([[a,c],[b],[c]], S).
%  S = [a,b,c].
ord_union(Sets, Set) :-
    append(Sets, Elements),
    sort(Elements, Set).

%! ord_union(+Xs, +Ys, -Zs)
%  The elements of either set.
%  ?- ord_union([a,c], [b,c], S).
%  S = [a,b,c].
ord_union([], Ys, Ys).
ord_union([X|Xs], Ys, Zs) :-
    '$ord_union'(Ys, X, Xs, Zs).

'$ord_union'([], X, Xs, [X|Xs]).
'$ord_union'([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    '$ord_union'(Order, X, Xs, Y, Ys, Zs).

'$ord_union'(<, X, Xs, Y, Ys, [X|Zs]) :-
    '$ord_union'(Xs, Y, Ys, Zs).
'$ord_union'(=, X, Xs, _, Ys, [X|Zs]) :-
    ord_union(Xs, Ys, Zs).
'$ord_union'(>, X, Xs, Y, Ys, [Y|Zs]) :-
    '$ord_union'(Ys, X, Xs, Zs).

%! ord_union(+Xs, +Ys, -Zs, -New)
%  Zs is the union of Xs and Ys, New what Ys brings to it.
%  ?- ord_union([a,c], [b,c], S, N).
%  S = [a,b,c], N = [b].
ord_union(Xs, Ys, Zs, New) :-
    ord_union(Xs, Ys, Zs),
    ord_subtract(Ys, Xs, New).

%! ord_intersection(+Xs, +Ys, -Zs)
%  The elements of both sets.
%  ?- ord_intersection([a,b,c], [b,c,d], S).
%  S = [b,c].
ord_intersection([], _, []).
ord_intersection([X|Xs], Ys, Zs) :-
    '$ord_intersection'(Ys, X, Xs, Zs).

'$ord_intersection'([], _, _, []).
'$ord_intersection'([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    '$ord_intersection'(Order, X, Xs, Y, Ys, Zs).

'$ord_intersection'(<, _, Xs, Y, Ys, Zs) :-
    '$ord_intersection'(Xs, Y, Ys, Zs).
'$ord_intersection'(=, X, Xs, _, Ys, [X|Zs]) :-
    ord_intersection(Xs, Ys, Zs).
'$ord_intersection'(>, X, Xs, _, Ys, Zs) :-
    '$ord_intersection'(Ys, X, Xs, Zs).

%! ord_intersection(+Sets, -Set)
%  The elements that all sets of a list have.
%  ?- ord_intersection([[a,b],[b,c]], S).
%  S = [b].
ord_intersection([Set|Sets], Common) :-
    '$ord_intersection'(Sets, Set, Common).

'$ord_intersection'([], Common, Common).
'$ord_intersection'([Set|Sets], Common0, Common) :-
    ord_intersection(Common0, Set, Common1),
    '$ord_intersection'(Sets, Common1, Common).

%! ord_intersect(+Xs, +Ys, -Zs)
%  The same as ord_intersection/3.
%  ?- ord_intersect([a,b,c], [b,c,d], S).
%  S = [b,c].
ord_intersect(Xs, Ys, Zs) :-
    ord_intersection(Xs, Ys, Zs).

%! ord_intersect(+Xs, +Ys)
%  The sets have an element in common.
%  ?- ord_intersect([a,b], [b,c]).
%  true.
ord_intersect(Xs, Ys) :-
    \+ ord_disjoint(Xs, Ys).

%! ord_disjoint(+Xs, +Ys)
%  The sets have no element in common.
%  ?- ord_disjoint([a], [b]).
%  true.
ord_disjoint(Xs, Ys) :-
    ord_intersection(Xs, Ys, []).

%! ord_subtract(+Xs, +Ys, -Zs)
%  The elements of Xs that are not in Ys.
%  ?- ord_subtract([a,b,c], [b], S).
%  S = [a,c].
ord_subtract([], _, []).
ord_subtract([X|Xs], Ys, Zs) :-
    '$ord_subtract'(Ys, X, Xs, Zs).

'$ord_subtract'([], X, Xs, [X|Xs]).
'$ord_subtract'([Y|Ys], X, Xs, Zs) :-
    compare(Order, X, Y),
    '$ord_subtract'(Order, X, Xs, Y, Ys, Zs).

'$ord_subtract'(<, X, Xs, Y, Ys, [X|Zs]) :-
    ord_subtract(Xs, [Y|Ys], Zs).
'$ord_subtract'(=, _, Xs, _, Ys, Zs) :-
    ord_subtract(Xs, Ys, Zs).
'$ord_subtract'(>, X, Xs, _, Ys, Zs) :-
    '$ord_subtract'(Ys, X, Xs, Zs).

%! ord_symdiff(+Xs, +Ys, -Zs)
%  The elements of exactly one of the sets.
%  ?- ord_symdiff([a,b], [b,c], S).
%  S = [a,c].
ord_symdiff(Xs, Ys, Zs) :-
    ord_subtract(Xs, Ys, Ls),
    ord_subtract(Ys, Xs, Rs),
    ord_union(Ls, Rs, Zs).

%! ord_subset(+Xs, +Ys)
%  Each element of Xs is in Ys.
%  ?- ord_subset([a,c], [a,b,c]).
%  true.
ord_subset(Xs, Ys) :-
    ord_subtract(Xs, Ys, []).

%! ord_seteq(+Xs, +Ys)
%  The sets are the same.
%  ?- ord_seteq([a], [a]).
%  true.
ord_seteq(Xs, Ys) :-
    Xs == Ys.


%! ord_selectchk(+X, +Set, -Rest)
%  Rest is Set without X, which must be in it.
%  ?- ord_selectchk(a, [a,b], R).
%  R = [b].
ord_selectchk(X, Set, Rest) :-
    ord_memberchk(X, Set),
    ord_del_element(Set, X, Rest).

%! ord_intersection(+Xs, +Ys, -Zs, -Rest)
%  Zs is the intersection; Rest has the elements of Ys that are not in Xs.
%  ?- ord_intersection([a,b], [b,c], S, R).
%  R = [c], S = [b].
ord_intersection(Xs, Ys, Zs, Rest) :-
    ord_intersection(Xs, Ys, Zs),
    ord_subtract(Ys, Xs, Rest).
