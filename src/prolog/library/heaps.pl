% heaps.pl: priority queues, kept as pairing heaps.
%
% A heap is heap(Tree, Size); Tree is nil or t(Key, Priority, Subtrees).
% (Fredman, Sedgewick, Sleator and Tarjan 1986.)

%! empty_heap(?Heap)
%  The heap without entries.
%  ?- empty_heap(H), heap_size(H, N).
%  N = 0.
empty_heap(heap(nil, 0)).

%! singleton_heap(?Heap, ?Priority, ?Key)
%  The heap with one entry.
%  ?- singleton_heap(H, 1, a), heap_to_list(H, L).
%  L = [1-a].
singleton_heap(heap(t(Key, Priority, []), 1), Priority, Key).

%! add_to_heap(+Heap0, +Priority, ?Key, -Heap)
%  Heap is Heap0 with Key at Priority; the smallest priority comes out first.
%  ?- empty_heap(H0), add_to_heap(H0, 2, b, H1), add_to_heap(H1, 1, a, H), min_of_heap(H, P, K).
%  P = 1, K = a.
add_to_heap(heap(Tree0, N0), Priority, Key, heap(Tree, N)) :-
    '$meld'(Tree0, t(Key, Priority, []), Tree),
    N is N0 + 1.

%! get_from_heap(+Heap0, ?Priority, ?Key, -Heap)
%  Takes the entry with the smallest priority out; fails when there is none.
%  ?- list_to_heap([2-b,1-a], H0), get_from_heap(H0, P, K, _).
%  P = 1, K = a.
get_from_heap(heap(t(Key, Priority, Subtrees), N0), Priority, Key, heap(Tree, N)) :-
    '$meld_pairs'(Subtrees, Tree),
    N is N0 - 1.

%! min_of_heap(+Heap, ?Priority, ?Key)
%  The entry with the smallest priority.
%  ?- list_to_heap([2-b,1-a], H), min_of_heap(H, P, K).
%  P = 1, K = a.
min_of_heap(heap(t(Key, Priority, _), _), Priority, Key).

%! min_of_heap(+Heap, ?Priority1, ?Key1, ?Priority2, ?Key2)
%  The two entries with the smallest priorities.
%  ?- list_to_heap([2-b,3-c,1-a], H), min_of_heap(H, _, K1, _, K2).
%  K1 = a, K2 = b.
min_of_heap(Heap0, Priority1, Key1, Priority2, Key2) :-
    get_from_heap(Heap0, Priority1, Key1, Heap),
    min_of_heap(Heap, Priority2, Key2).

%! heap_size(+Heap, -N)
%  How many entries a heap has.
%  ?- list_to_heap([2-b,1-a], H), heap_size(H, N).
%  N = 2.
heap_size(heap(_, N), N).

%! heap_to_list(+Heap, -Pairs)
%  The entries as Priority-Key pairs, smallest priority first.
%  ?- list_to_heap([2-b,1-a], H), heap_to_list(H, L).
%  L = [1-a,2-b].
heap_to_list(Heap, Pairs) :-
    (   get_from_heap(Heap, Priority, Key, Heap1)
    ->  Pairs = [Priority-Key|Pairs1],
        heap_to_list(Heap1, Pairs1)
    ;   Pairs = []
    ).

%! list_to_heap(+Pairs, -Heap)
%  A heap from Priority-Key pairs.
%  ?- list_to_heap([2-b,1-a], H), heap_size(H, N).
%  N = 2.
list_to_heap(Pairs, Heap) :-
    empty_heap(Heap0),
    '$add_pairs'(Pairs, Heap0, Heap).

'$add_pairs'([], Heap, Heap).
'$add_pairs'([Priority-Key|Pairs], Heap0, Heap) :-
    add_to_heap(Heap0, Priority, Key, Heap1),
    '$add_pairs'(Pairs, Heap1, Heap).

%! merge_heaps(+Heap1, +Heap2, -Heap)
%  The entries of both heaps.
%  ?- singleton_heap(A, 1, a), singleton_heap(B, 2, b), merge_heaps(A, B, H), heap_to_list(H, L).
%  L = [1-a,2-b].
merge_heaps(heap(Tree1, N1), heap(Tree2, N2), heap(Tree, N)) :-
    '$meld'(Tree1, Tree2, Tree),
    N is N1 + N2.

%! delete_from_heap(+Heap0, -Priority, +Key, -Heap)
%  Takes Key out, wherever it is; fails when it is not there.
%  ?- list_to_heap([2-b,1-a], H0), delete_from_heap(H0, P, b, H), heap_to_list(H, L).
%  P = 2, L = [1-a].
delete_from_heap(Heap0, Priority, Key, Heap) :-
    heap_to_list(Heap0, Pairs),
    '$take_key'(Pairs, Key, Priority, Rest),
    list_to_heap(Rest, Heap).

'$take_key'([P-K|Pairs], Key, Priority, Rest) :-
    (   K = Key
    ->  Priority = P,
        Rest = Pairs
    ;   Rest = [P-K|Rest1],
        '$take_key'(Pairs, Key, Priority, Rest1)
    ).

%! is_heap(@Heap)
%  Heap has the form of a heap.
%  ?- empty_heap(H), is_heap(H).
%  true.
is_heap(Heap) :-
    nonvar(Heap),
    Heap = heap(Tree, N),
    integer(N),
    nonvar(Tree),
    (   Tree == nil
    ->  N =:= 0
    ;   Tree = t(_, _, _)
    ).

'$meld'(nil, Tree, Tree).
'$meld'(t(K1, P1, Ts1), Tree2, Tree) :-
    (   Tree2 = t(K2, P2, Ts2)
    ->  (   P1 @< P2
        ->  Tree = t(K1, P1, [Tree2|Ts1])
        ;   Tree = t(K2, P2, [t(K1, P1, Ts1)|Ts2])
        )
    ;   Tree = t(K1, P1, Ts1)
    ).

% Two by two from the left, then all of them from the right.
'$meld_pairs'([], nil).
'$meld_pairs'([Tree|Trees], Melded) :-
    '$meld_pairs'(Trees, Tree, Melded).

'$meld_pairs'([], Tree, Tree).
'$meld_pairs'([Tree2|Trees], Tree1, Melded) :-
    '$meld'(Tree1, Tree2, Tree),
    '$meld_pairs'(Trees, Rest),
    '$meld'(Tree, Rest, Melded).
