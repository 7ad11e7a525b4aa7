% sort.pl: sorting with an order of one's own.

%! predsort(:Compare, +List, -Sorted)
%  Sorts with call(Compare, Order, X, Y), where Order is <, = or >; of elements
%  that compare as = the first is kept.
%  ?- predsort([O,X,Y]>>compare(O,Y,X), [b,a,c,a], L).
%  L = [c,b,a].
predsort(Compare, List, Sorted) :-
    must_be(list, List),
    length(List, N),
    '$predsort'(N, Compare, List, _, Sorted0), !,
    Sorted = Sorted0.

% '$predsort'(N, Compare, List, Rest, Sorted): the first N elements of List.
'$predsort'(N, Compare, List, Rest, Sorted) :-
    (   N =:= 0
    ->  Rest = List,
        Sorted = []
    ;   N =:= 1
    ->  List = [X|Rest],
        Sorted = [X]
    ;   N1 is N // 2,
        N2 is N - N1,
        '$predsort'(N1, Compare, List, Mid, Sorted1),
        '$predsort'(N2, Compare, Mid, Rest, Sorted2),
        '$predmerge'(Sorted1, Sorted2, Compare, Sorted)
    ).

'$predmerge'([], Ys, _, Ys).
'$predmerge'([X|Xs], Ys, Compare, Zs) :-
    '$predmerge'(Ys, X, Xs, Compare, Zs).

'$predmerge'([], X, Xs, _, [X|Xs]).
'$predmerge'([Y|Ys], X, Xs, Compare, Zs) :-
    call(Compare, Order, X, Y), !,
    '$predmerge'(Order, X, Xs, Y, Ys, Compare, Zs).

'$predmerge'(<, X, Xs, Y, Ys, Compare, [X|Zs]) :-
    '$predmerge_left'(Xs, Y, Ys, Compare, Zs).
'$predmerge'(=, X, Xs, _, Ys, Compare, Zs) :-
    '$predmerge'([X|Xs], Ys, Compare, Zs).
'$predmerge'(>, X, Xs, Y, Ys, Compare, [Y|Zs]) :-
    '$predmerge'(Ys, X, Xs, Compare, Zs).

'$predmerge_left'([], Y, Ys, _, [Y|Ys]).
'$predmerge_left'([X|Xs], Y, Ys, Compare, Zs) :-
    call(Compare, Order, X, Y), !,
    '$predmerge'(Order, X, Xs, Y, Ys, Compare, Zs).

%! locale_sort(+Atoms, -Sorted)
%  Sorts atoms by their characters.
%  ?- locale_sort([b,a], L).
%  L = [a,b].
locale_sort(Atoms, Sorted) :-
    msort(Atoms, Sorted).
