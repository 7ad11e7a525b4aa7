% rbtrees.pl: red-black trees from keys to values.  A tree is t(Node), a node '' or
% red(Left, Key, Value, Right) or black(Left, Key, Value, Right).  Insertion follows
% Okasaki, "Red-black trees in a functional setting" (1999); deletion Kahrs,
% "Red-black trees with types" (2001).

%! rb_new(-Tree), rb_empty(?Tree)
%  The tree without keys.
%  ?- rb_new(T), rb_keys(T, Ks).
%  Ks = [].
rb_new(t('')).
rb_empty(t('')).

%! rb_lookup(+Key, -Value, +Tree)
%  Value is what Tree has for Key.
%  ?- list_to_rbtree([a-1,b-2], T), rb_lookup(b, V, T).
%  V = 2.
rb_lookup(Key, Value, Tree) :-
    '$rb_root'(Tree, Node),
    '$rb_lookup'(Node, Key, Value).

'$rb_root'(t(Root), Node), nonvar(Root) => Node = Root.

'$rb_lookup'(Node, Key, Value) :-
    '$rb_node'(Node, _, L, K, V, R),
    compare(Order, Key, K),
    '$rb_lookup'(Order, L, V, R, Key, Value).

'$rb_lookup'(=, _, Value, _, _, Value).
'$rb_lookup'(<, L, _, _, Key, Value) :-
    '$rb_lookup'(L, Key, Value).
'$rb_lookup'(>, _, _, R, Key, Value) :-
    '$rb_lookup'(R, Key, Value).

'$rb_node'(black(L, K, V, R), black, L, K, V, R).
'$rb_node'(red(L, K, V, R), red, L, K, V, R).

'$rb_make'(black, L, K, V, R, black(L, K, V, R)).
'$rb_make'(red, L, K, V, R, red(L, K, V, R)).

%! rb_in(?Key, ?Value, +Tree)
%  Tree has Value for Key; all keys in order if Key is unbound.
%  ?- list_to_rbtree([b-2,a-1], T), findall(K-V, rb_in(K, V, T), L).
%  L = [a-1,b-2].
rb_in(Key, Value, Tree) :-
    '$rb_root'(Tree, Node),
    (   ground(Key)
    ->  '$rb_lookup'(Node, Key, Value)
    ;   '$rb_pairs'(Node, Pairs, []),
        member(Key-Value, Pairs)
    ).

%! rb_insert(+Tree0, +Key, ?Value, -Tree)
%  Tree has Value for Key, in the place of what Tree0 has for it.
%  ?- rb_new(T0), rb_insert(T0, k, v, T), rb_visit(T, Ps).
%  Ps = [k-v].
rb_insert(Tree0, Key, Value, t(Node)) :-
    '$rb_root'(Tree0, Node0),
    '$rb_insert'(Node0, Key, Value, old, Node1),
    '$rb_blacken'(Node1, Node).

%! rb_insert_new(+Tree0, +Key, ?Value, -Tree)
%  As rb_insert/4; fails if Tree0 has the key.
%  ?- list_to_rbtree([a-1], T), rb_insert_new(T, a, 2, _).
%  false.
rb_insert_new(Tree0, Key, Value, t(Node)) :-
    '$rb_root'(Tree0, Node0),
    '$rb_insert'(Node0, Key, Value, new, Node1),
    '$rb_blacken'(Node1, Node).

'$rb_blacken'('', '').
'$rb_blacken'(black(L, K, V, R), black(L, K, V, R)).
'$rb_blacken'(red(L, K, V, R), black(L, K, V, R)).

'$rb_insert'('', Key, Value, _, red('', Key, Value, '')).
'$rb_insert'(black(L, K, V, R), Key, Value, Mode, Node) :-
    compare(Order, Key, K),
    '$rb_insert'(Order, black, L, K, V, R, Key, Value, Mode, Node).
'$rb_insert'(red(L, K, V, R), Key, Value, Mode, Node) :-
    compare(Order, Key, K),
    '$rb_insert'(Order, red, L, K, V, R, Key, Value, Mode, Node).

'$rb_insert'(<, Colour, L0, K, V, R, Key, Value, Mode, Node) :-
    '$rb_insert'(L0, Key, Value, Mode, L),
    '$rb_balanced'(Colour, L, K, V, R, Node).
'$rb_insert'(=, Colour, L, K, _, R, _, Value, old, Node) :-
    '$rb_make'(Colour, L, K, Value, R, Node).
'$rb_insert'(>, Colour, L, K, V, R0, Key, Value, Mode, Node) :-
    '$rb_insert'(R0, Key, Value, Mode, R),
    '$rb_balanced'(Colour, L, K, V, R, Node).

'$rb_balanced'(red, L, K, V, R, red(L, K, V, R)).
'$rb_balanced'(black, L, K, V, R, Node) :-
    '$rb_balance'(L, K, V, R, Node).

% A black node of two subtrees, one of which may be red with a red child.
'$rb_balance'(L, K, V, R, Node) :-
    (   '$rb_rotated'(L, K, V, R, Node0)
    ->  Node = Node0
    ;   Node = black(L, K, V, R)
    ).

'$rb_rotated'(red(A, K1, V1, B), K2, V2, red(C, K3, V3, D),
              red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D))).
'$rb_rotated'(red(red(A, K1, V1, B), K2, V2, C), K3, V3, D,
              red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D))).
'$rb_rotated'(red(A, K1, V1, red(B, K2, V2, C)), K3, V3, D,
              red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D))).
'$rb_rotated'(A, K1, V1, red(B, K2, V2, red(C, K3, V3, D)),
              red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D))).
'$rb_rotated'(A, K1, V1, red(red(B, K2, V2, C), K3, V3, D),
              red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D))).

%! rb_delete(+Tree0, +Key, -Tree), rb_delete(+Tree0, +Key, -Value, -Tree)
%  Tree is Tree0 without Key, which had Value; fails if Tree0 has no such key.
%  ?- list_to_rbtree([a-1,b-2], T0), rb_delete(T0, a, V, T), rb_keys(T, Ks).
%  Ks = [b], V = 1.
rb_delete(Tree0, Key, Tree) :-
    rb_delete(Tree0, Key, _, Tree).

rb_delete(Tree0, Key, Value, t(Node)) :-
    '$rb_root'(Tree0, Node0),
    '$rb_delete'(Node0, Key, Value, Node1),
    '$rb_blacken'(Node1, Node).

'$rb_delete'(Node0, Key, Value, Node) :-
    '$rb_node'(Node0, _, L, K, V, R),
    compare(Order, Key, K),
    '$rb_delete'(Order, L, K, V, R, Key, Value, Node).

'$rb_delete'(<, L0, K, V, R, Key, Value, Node) :-
    '$rb_delete'(L0, Key, Value, L),
    (   L0 = black(_, _, _, _)
    ->  '$rb_left_shrunk'(L, K, V, R, Node)
    ;   Node = red(L, K, V, R)
    ).
'$rb_delete'(=, L, _, Value, R, _, Value, Node) :-
    '$rb_joined'(L, R, Node).
'$rb_delete'(>, L, K, V, R0, Key, Value, Node) :-
    '$rb_delete'(R0, Key, Value, R),
    (   R0 = black(_, _, _, _)
    ->  '$rb_right_shrunk'(L, K, V, R, Node)
    ;   Node = red(L, K, V, R)
    ).

% A node whose left subtree has a black node less on each way than the right one.
'$rb_left_shrunk'(L, K, V, R, Node) :-
    (   L = red(A, K1, V1, B)
    ->  Node = red(black(A, K1, V1, B), K, V, R)
    ;   R = black(A, K1, V1, B)
    ->  '$rb_balance'(L, K, V, red(A, K1, V1, B), Node)
    ;   R = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)),
        '$rb_balance'(B, K2, V2, red(C, K3, V3, D), Right),
        Node = red(black(L, K, V, A), K1, V1, Right)
    ).

'$rb_right_shrunk'(L, K, V, R, Node) :-
    (   R = red(A, K1, V1, B)
    ->  Node = red(L, K, V, black(A, K1, V1, B))
    ;   L = black(A, K1, V1, B)
    ->  '$rb_balance'(red(A, K1, V1, B), K, V, R, Node)
    ;   L = red(black(A, K1, V1, B), K2, V2, black(C, K3, V3, D)),
        '$rb_balance'(red(A, K1, V1, B), K2, V2, C, Left),
        Node = red(Left, K3, V3, black(D, K, V, R))
    ).

% Two trees of the same number of black nodes on each way, as one; all keys of the first come
% before those of the second.
'$rb_joined'(A, B, Node) :-
    (   A == ''
    ->  Node = B
    ;   B == ''
    ->  Node = A
    ;   A = red(L1, K1, V1, R1)
    ->  (   B = red(L2, K2, V2, R2)
        ->  '$rb_joined'(R1, L2, Middle),
            (   Middle = red(L, K, V, R)
            ->  Node = red(red(L1, K1, V1, L), K, V, red(R, K2, V2, R2))
            ;   Node = red(L1, K1, V1, red(Middle, K2, V2, R2))
            )
        ;   '$rb_joined'(R1, B, R),
            Node = red(L1, K1, V1, R)
        )
    ;   B = red(L2, K2, V2, R2)
    ->  '$rb_joined'(A, L2, L),
        Node = red(L, K2, V2, R2)
    ;   A = black(L1, K1, V1, R1),
        B = black(L2, K2, V2, R2),
        '$rb_joined'(R1, L2, Middle),
        (   Middle = red(L, K, V, R)
        ->  Node = red(black(L1, K1, V1, L), K, V, black(R, K2, V2, R2))
        ;   '$rb_left_shrunk'(L1, K1, V1, black(Middle, K2, V2, R2), Node)
        )
    ).

%! rb_del_min(+Tree0, -Key, -Value, -Tree)
%  Tree is Tree0 without its first key.
%  ?- list_to_rbtree([a-1,b-2], T0), rb_del_min(T0, K, V, T).
%  K = a, V = 1.
rb_del_min(Tree0, Key, Value, Tree) :-
    rb_min(Tree0, Key, Value),
    rb_delete(Tree0, Key, Tree).

%! rb_del_max(+Tree0, -Key, -Value, -Tree)
%  Tree is Tree0 without its last key.
rb_del_max(Tree0, Key, Value, Tree) :-
    rb_max(Tree0, Key, Value),
    rb_delete(Tree0, Key, Tree).

%! rb_min(+Tree, -Key, -Value), rb_max(+Tree, -Key, -Value)
%  The first key, or the last one, and its value.
%  ?- list_to_rbtree([a-1,b-2], T), rb_max(T, K, V).
%  K = b, V = 2.
rb_min(Tree, Key, Value) :-
    '$rb_root'(Tree, Node),
    '$rb_min'(Node, Key, Value).

'$rb_min'(Node, Key, Value) :-
    '$rb_node'(Node, _, L, K, V, _),
    (   L == ''
    ->  Key = K, Value = V
    ;   '$rb_min'(L, Key, Value)
    ).

rb_max(Tree, Key, Value) :-
    '$rb_root'(Tree, Node),
    '$rb_max'(Node, Key, Value).

'$rb_max'(Node, Key, Value) :-
    '$rb_node'(Node, _, _, K, V, R),
    (   R == ''
    ->  Key = K, Value = V
    ;   '$rb_max'(R, Key, Value)
    ).

%! rb_next(+Tree, +Key, -Next, -Value), rb_previous(+Tree, +Key, -Previous, -Value)
%  The key behind Key, or before it, and its value. Tree has Key.
%  ?- list_to_rbtree([a-1,b-2], T), rb_next(T, a, K, V).
%  K = b, V = 2.
rb_next(Tree, Key, Next, Value) :-
    '$rb_root'(Tree, Node),
    '$rb_next'(Node, Key, none, Next, Value).

'$rb_next'(Node, Key, Found, Next, Value) :-
    '$rb_node'(Node, _, L, K, V, R),
    compare(Order, Key, K),
    (   Order = (<)
    ->  '$rb_next'(L, Key, K-V, Next, Value)
    ;   Order = (>)
    ->  '$rb_next'(R, Key, Found, Next, Value)
    ;   '$rb_min'(R, Next0, Value0)
    ->  Next = Next0, Value = Value0
    ;   Found = Next-Value
    ).

rb_previous(Tree, Key, Previous, Value) :-
    '$rb_root'(Tree, Node),
    '$rb_previous'(Node, Key, none, Previous, Value).

'$rb_previous'(Node, Key, Found, Previous, Value) :-
    '$rb_node'(Node, _, L, K, V, R),
    compare(Order, Key, K),
    (   Order = (<)
    ->  '$rb_previous'(L, Key, Found, Previous, Value)
    ;   Order = (>)
    ->  '$rb_previous'(R, Key, K-V, Previous, Value)
    ;   '$rb_max'(L, Previous0, Value0)
    ->  Previous = Previous0, Value = Value0
    ;   Found = Previous-Value
    ).

%! rb_update(+Tree0, +Key, ?Value, -Tree), rb_update(+Tree0, +Key, ?Value0, ?Value, -Tree)
%  Tree has Value for Key in the place of Value0; fails if Tree0 has no such key.
%  ?- list_to_rbtree([a-1], T0), rb_update(T0, a, V, 2, T).
%  V = 1.
rb_update(Tree0, Key, Value, Tree) :-
    rb_update(Tree0, Key, _, Value, Tree).

rb_update(Tree0, Key, Value0, Value, t(Node)) :-
    '$rb_root'(Tree0, Node0),
    '$rb_update'(Node0, Key, Value0, Value, Node).

'$rb_update'(Node0, Key, Value0, Value, Node) :-
    '$rb_node'(Node0, Colour, L, K, V, R),
    compare(Order, Key, K),
    (   Order = (<)
    ->  '$rb_update'(L, Key, Value0, Value, L1),
        '$rb_make'(Colour, L1, K, V, R, Node)
    ;   Order = (>)
    ->  '$rb_update'(R, Key, Value0, Value, R1),
        '$rb_make'(Colour, L, K, V, R1, Node)
    ;   Value0 = V,
        '$rb_make'(Colour, L, K, Value, R, Node)
    ).

%! rb_apply(+Tree0, +Key, :Goal, -Tree)
%  As rb_update/5 where call(Goal, Value0, Value) is true.
%  ?- list_to_rbtree([a-1], T0), rb_apply(T0, a, succ, T).
%  true.
rb_apply(Tree0, Key, Goal, Tree) :-
    rb_update(Tree0, Key, Value0, Value, Tree),
    call(Goal, Value0, Value), !.

%! rb_visit(+Tree, -Pairs)
%  The keys of Tree, in order, with their values, as Key-Value.
rb_visit(Tree, Pairs) :-
    '$rb_root'(Tree, Node),
    '$rb_pairs'(Node, Pairs, []).

'$rb_pairs'('', Pairs, Pairs).
'$rb_pairs'(black(L, K, V, R), Pairs, Tail) :-
    '$rb_pairs'(L, Pairs, [K-V|More]),
    '$rb_pairs'(R, More, Tail).
'$rb_pairs'(red(L, K, V, R), Pairs, Tail) :-
    '$rb_pairs'(L, Pairs, [K-V|More]),
    '$rb_pairs'(R, More, Tail).

%! rb_keys(+Tree, -Keys)
%  The keys of Tree, in order.
rb_keys(Tree, Keys) :-
    rb_visit(Tree, Pairs),
    pairs_keys(Pairs, Keys).

%! rb_map(+Tree0, :Goal, -Tree), rb_map(+Tree, :Goal)
%  Tree has the keys of Tree0, and values for which call(Goal, Value0, Value) is true; or
%  call(Goal, Value) is true for each value.
%  ?- list_to_rbtree([a-1], T0), rb_map(T0, succ, T).
%  true.
rb_map(Tree0, Goal, t(Node)) :-
    '$rb_root'(Tree0, Node0),
    '$rb_map'(Node0, Goal, Node).

'$rb_map'('', _, '').
'$rb_map'(black(L0, K, V0, R0), Goal, black(L, K, V, R)) :-
    '$rb_map'(L0, Goal, L),
    call(Goal, V0, V),
    '$rb_map'(R0, Goal, R).
'$rb_map'(red(L0, K, V0, R0), Goal, red(L, K, V, R)) :-
    '$rb_map'(L0, Goal, L),
    call(Goal, V0, V),
    '$rb_map'(R0, Goal, R).

rb_map(Tree, Goal) :-
    rb_visit(Tree, Pairs),
    pairs_values(Pairs, Values),
    '$rb_map_values'(Values, Goal).

'$rb_map_values'([], _).
'$rb_map_values'([Value|Values], Goal) :-
    call(Goal, Value),
    '$rb_map_values'(Values, Goal).

%! rb_partial_map(+Tree0, +Keys, :Goal, -Tree)
%  As rb_map/3 for the values of Keys, an ordered set; keys that Tree0 has not are passed over.
rb_partial_map(Tree0, Keys, Goal, Tree) :-
    '$rb_root'(Tree0, _),
    '$rb_partial_map'(Keys, Tree0, Goal, Tree).

'$rb_partial_map'([], Tree, _, Tree).
'$rb_partial_map'([Key|Keys], Tree0, Goal, Tree) :-
    (   rb_lookup(Key, Value0, Tree0)
    ->  once(call(Goal, Value0, Value)),
        rb_update(Tree0, Key, Value, Tree1)
    ;   Tree1 = Tree0
    ),
    '$rb_partial_map'(Keys, Tree1, Goal, Tree).

%! rb_fold(:Goal, +Tree, +State0, -State)
%  From State0 to State by call(Goal, Key-Value, S0, S) for each key in order.
%  ?- list_to_rbtree([a-1,b-2], T), rb_fold([_-V,S0,S]>>(S is S0+V), T, 0, Sum).
%  Sum = 3.
rb_fold(Goal, Tree, State0, State) :-
    rb_visit(Tree, Pairs),
    foldl(Goal, Pairs, State0, State).

%! rb_clone(+Tree0, -Tree, -Pairs), rb_clone(+Tree0, -Pairs0, -Tree, -Pairs)
%  Tree has the keys of Tree0 and new variables for values; Pairs are its keys and values, Pairs0
%  those of Tree0.
rb_clone(Tree0, Tree, Pairs) :-
    rb_clone(Tree0, _, Tree, Pairs).

rb_clone(Tree0, Pairs0, t(Node), Pairs) :-
    '$rb_root'(Tree0, Node0),
    '$rb_pairs'(Node0, Pairs0, []),
    '$rb_clone'(Node0, Node),
    '$rb_pairs'(Node, Pairs, []).

'$rb_clone'('', '').
'$rb_clone'(black(L0, K, _, R0), black(L, K, _, R)) :-
    '$rb_clone'(L0, L),
    '$rb_clone'(R0, R).
'$rb_clone'(red(L0, K, _, R0), red(L, K, _, R)) :-
    '$rb_clone'(L0, L),
    '$rb_clone'(R0, R).

%! list_to_rbtree(+Pairs, -Tree), ord_list_to_rbtree(+Pairs, -Tree)
%  The tree of a list of Key-Value; of a key that comes again, the last value. The second takes a
%  list ordered by keys without duplicates.
%  ?- list_to_rbtree([b-2,a-1], T), rb_visit(T, Ps).
%  Ps = [a-1,b-2].
list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    '$rb_insert_all'(Pairs, t(''), Tree).

ord_list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    '$rb_insert_all'(Pairs, t(''), Tree).

'$rb_insert_all'([], Tree, Tree).
'$rb_insert_all'([Key-Value|Pairs], Tree0, Tree) :-
    rb_insert(Tree0, Key, Value, Tree1),
    '$rb_insert_all'(Pairs, Tree1, Tree).

%! rb_size(+Tree, -Size)
%  The number of keys.
rb_size(Tree, Size) :-
    rb_visit(Tree, Pairs),
    length(Pairs, Size).

%! is_rbtree(@Tree)
%  Tree is a red-black tree: keys are in order, no red node has a red child, and each way down has
%  as many black nodes.
%  ?- is_rbtree(t(red('',a,1,''))).
%  false.
is_rbtree(Tree) :-
    nonvar(Tree),
    Tree = t(Node),
    '$rb_depth'(Node, black, _),
    Node \= red(_, _, _, _),
    rb_keys(Tree, Keys),
    '$rb_ascending'(Keys).

'$rb_depth'(Node, Above, Depth) :-
    nonvar(Node),
    (   Node == ''
    ->  Depth = 0
    ;   '$rb_node'(Node, Colour, L, _, _, R),
        ( Colour == red -> Above == black ; true ),
        '$rb_depth'(L, Colour, Depth0),
        '$rb_depth'(R, Colour, Depth0),
        ( Colour == black -> Depth is Depth0+1 ; Depth = Depth0 )
    ).

'$rb_ascending'(Keys) :-
    sort(Keys, Sorted),
    Sorted == Keys.
