% assoc.pl: association lists, kept as AVL trees.
%
% The empty tree is t; a node is t(Key, Value, Balance, Left, Right), where
% Balance is <, - or >: the left subtree is deeper, both are as deep, the right
% one is deeper.  Keys are compared in the standard order of terms.
% (Adelson-Velsky and Landis 1962; Knuth, The Art of Computer Programming 3,
% 6.2.3.)

%! empty_assoc(?Assoc)
%  The association list without keys.
%  ?- empty_assoc(A).
%  A = t.
empty_assoc(t).

%! get_assoc(+Key, +Assoc, ?Value)
%  Value is what Assoc holds for Key.
%  ?- list_to_assoc([a-1,b-2], A), get_assoc(b, A, V).
%  V = 2.
get_assoc(Key, Assoc, Value) :-
    (   var(Assoc)
    ->  instantiation_error(Assoc)
    ;   Assoc = t(K, V, _, L, R)
    ->  compare(Order, Key, K),
        '$get_assoc'(Order, Key, V, L, R, Value)
    ;   Assoc == t
    ->  fail
    ;   type_error(btree, Assoc)
    ).

'$get_assoc'(=, _, Value, _, _, Value).
'$get_assoc'(<, Key, _, L, _, Value) :-
    get_assoc(Key, L, Value).
'$get_assoc'(>, Key, _, _, R, Value) :-
    get_assoc(Key, R, Value).

%! put_assoc(+Key, +Assoc0, +Value, -Assoc)
%  Assoc is Assoc0 with Value for Key, whether Key was there or not.
%  ?- empty_assoc(A0), put_assoc(k, A0, v, A).
%  A = t(k,v,-,t,t).
put_assoc(Key, Assoc0, Value, Assoc) :-
    '$put_assoc'(Assoc0, Key, Value, Assoc, _).

% The last argument says whether the tree grew in height.
'$put_assoc'(t, Key, Value, t(Key,Value,-,t,t), yes).
'$put_assoc'(t(K,V,B,L,R), Key, Value, Assoc, Grown) :-
    compare(Order, Key, K),
    '$put_assoc'(Order, K, V, B, L, R, Key, Value, Assoc, Grown).

'$put_assoc'(=, _, _, B, L, R, Key, Value, t(Key,Value,B,L,R), no).
'$put_assoc'(<, K, V, B, L, R, Key, Value, Assoc, Grown) :-
    '$put_assoc'(L, Key, Value, L1, LeftGrown),
    '$left_grown'(LeftGrown, B, K, V, L1, R, Assoc, Grown).
'$put_assoc'(>, K, V, B, L, R, Key, Value, Assoc, Grown) :-
    '$put_assoc'(R, Key, Value, R1, RightGrown),
    '$right_grown'(RightGrown, B, K, V, L, R1, Assoc, Grown).

'$left_grown'(no, B, K, V, L, R, t(K,V,B,L,R), no).
'$left_grown'(yes, B, K, V, L, R, Assoc, Grown) :-
    '$deeper_left'(B, K, V, L, R, Assoc, Grown).

'$right_grown'(no, B, K, V, L, R, t(K,V,B,L,R), no).
'$right_grown'(yes, B, K, V, L, R, Assoc, Grown) :-
    '$deeper_right'(B, K, V, L, R, Assoc, Grown).

% '$deeper_left'(B, K, V, L, R, Tree, Grown): L is one level deeper than the
% balance B says, or R one less deep.  Grown: is Tree deeper than L and R made
% it before the left side won?
'$deeper_left'(-, K, V, L, R, t(K,V,<,L,R), yes).
'$deeper_left'(>, K, V, L, R, t(K,V,-,L,R), no).
'$deeper_left'(<, K, V, t(K1,V1,B1,L1,R1), R, Tree, Grown) :-
    '$rotate_right'(B1, K1, V1, L1, R1, K, V, R, Tree, Grown).

'$deeper_right'(-, K, V, L, R, t(K,V,>,L,R), yes).
'$deeper_right'(<, K, V, L, R, t(K,V,-,L,R), no).
'$deeper_right'(>, K, V, L, t(K1,V1,B1,L1,R1), Tree, Grown) :-
    '$rotate_left'(B1, K1, V1, L1, R1, K, V, L, Tree, Grown).

'$rotate_right'(<, K1, V1, L1, R1, K, V, R, t(K1,V1,-,L1,t(K,V,-,R1,R)), no).
'$rotate_right'(-, K1, V1, L1, R1, K, V, R, t(K1,V1,>,L1,t(K,V,<,R1,R)), yes).
'$rotate_right'(>, K1, V1, L1, t(K2,V2,B2,L2,R2), K, V, R,
                t(K2,V2,-,t(K1,V1,BL,L1,L2),t(K,V,BR,R2,R)), no) :-
    '$balances'(B2, BL, BR).

'$rotate_left'(>, K1, V1, L1, R1, K, V, L, t(K1,V1,-,t(K,V,-,L,L1),R1), no).
'$rotate_left'(-, K1, V1, L1, R1, K, V, L, t(K1,V1,<,t(K,V,>,L,L1),R1), yes).
'$rotate_left'(<, K1, V1, t(K2,V2,B2,L2,R2), R1, K, V, L,
               t(K2,V2,-,t(K,V,BL,L,L2),t(K1,V1,BR,R2,R1)), no) :-
    '$balances'(B2, BL, BR).

% After a double rotation: the balances left and right of the new root.
'$balances'(<, -, >).
'$balances'(-, -, -).
'$balances'(>, <, -).

%! list_to_assoc(+Pairs, -Assoc)
%  An association list from Key-Value pairs, each key once.
%  ?- list_to_assoc([b-2,a-1], A), assoc_to_keys(A, Ks).
%  Ks = [a,b].
list_to_assoc(Pairs, Assoc) :-
    keysort(Pairs, Sorted),
    (   '$ascending_keys'(Sorted)
    ->  length(Sorted, N),
        '$build_assoc'(N, Sorted, _, Assoc, _)
    ;   domain_error(unique_key_pairs, Pairs)
    ).

%! ord_list_to_assoc(+Pairs, -Assoc)
%  As list_to_assoc/2 for pairs that are already sorted by key.
%  ?- ord_list_to_assoc([a-1,b-2], A), max_assoc(A, K, V).
%  K = b, V = 2.
ord_list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    (   '$ascending_keys'(Pairs)
    ->  length(Pairs, N),
        '$build_assoc'(N, Pairs, _, Assoc, _)
    ;   domain_error(key_ordered_pairs, Pairs)
    ).

'$ascending_keys'([]).
'$ascending_keys'([K-_|Pairs]) :-
    '$ascending_keys'(Pairs, K).

'$ascending_keys'([], _).
'$ascending_keys'([K-_|Pairs], K0) :-
    K0 @< K,
    '$ascending_keys'(Pairs, K).

% '$build_assoc'(N, Pairs, Rest, Assoc, Height): the first N pairs as a tree.
'$build_assoc'(N, Pairs, Rest, Assoc, Height) :-
    (   N =:= 0
    ->  Rest = Pairs,
        Assoc = t,
        Height = 0
    ;   NL is N // 2,
        NR is N - NL - 1,
        '$build_assoc'(NL, Pairs, [K-V|Pairs1], L, HL),
        '$build_assoc'(NR, Pairs1, Rest, R, HR),
        Height is HL + 1,
        (   HL > HR
        ->  Assoc = t(K,V,<,L,R)
        ;   Assoc = t(K,V,-,L,R)
        )
    ).

%! assoc_to_list(+Assoc, -Pairs)
%  The Key-Value pairs in the order of the keys.
%  ?- list_to_assoc([b-2,a-1], A), assoc_to_list(A, L).
%  L = [a-1,b-2].
assoc_to_list(Assoc, Pairs) :-
    '$assoc_to_list'(Assoc, Pairs, []).

'$assoc_to_list'(t, Pairs, Pairs).
'$assoc_to_list'(t(K,V,_,L,R), Pairs, Tail) :-
    '$assoc_to_list'(L, Pairs, [K-V|Mid]),
    '$assoc_to_list'(R, Mid, Tail).

%! assoc_to_keys(+Assoc, -Keys)
%  The keys in order.
%  ?- list_to_assoc([b-2,a-1], A), assoc_to_keys(A, L).
%  L = [a,b].
assoc_to_keys(Assoc, Keys) :-
    '$assoc_to_keys'(Assoc, Keys, []).

'$assoc_to_keys'(t, Keys, Keys).
'$assoc_to_keys'(t(K,_,_,L,R), Keys, Tail) :-
    '$assoc_to_keys'(L, Keys, [K|Mid]),
    '$assoc_to_keys'(R, Mid, Tail).

%! assoc_to_values(+Assoc, -Values)
%  The values in the order of their keys.
%  ?- list_to_assoc([b-2,a-1], A), assoc_to_values(A, L).
%  L = [1,2].
assoc_to_values(Assoc, Values) :-
    '$assoc_to_values'(Assoc, Values, []).

'$assoc_to_values'(t, Values, Values).
'$assoc_to_values'(t(_,V,_,L,R), Values, Tail) :-
    '$assoc_to_values'(L, Values, [V|Mid]),
    '$assoc_to_values'(R, Mid, Tail).

%! gen_assoc(?Key, +Assoc, ?Value)
%  The pairs of Assoc one by one, in the order of the keys.
%  ?- list_to_assoc([b-2,a-1], A), findall(K, gen_assoc(K, A, _), Ks).
%  Ks = [a,b].
gen_assoc(Key, Assoc, Value) :-
    (   ground(Key)
    ->  get_assoc(Key, Assoc, Value)
    ;   '$gen_assoc'(Assoc, Key, Value)
    ).

'$gen_assoc'(t(K,V,_,L,R), Key, Value) :-
    '$gen_assoc'(L, K, V, R, Key, Value).

'$gen_assoc'(t(K1,V1,_,L1,R1), _, _, _, Key, Value) :-
    '$gen_assoc'(L1, K1, V1, R1, Key, Value).
'$gen_assoc'(_, Key, Value, _, Key, Value).
'$gen_assoc'(_, _, _, t(K1,V1,_,L1,R1), Key, Value) :-
    '$gen_assoc'(L1, K1, V1, R1, Key, Value).

%! max_assoc(+Assoc, -Key, -Value)
%  The pair with the largest key; fails for the empty list.
%  ?- list_to_assoc([a-1,b-2], A), max_assoc(A, K, _).
%  K = b.
max_assoc(t(K,V,_,_,R), Key, Value) :-
    '$max_assoc'(R, K, V, Key, Value).

'$max_assoc'(t, K, V, K, V).
'$max_assoc'(t(K,V,_,_,R), _, _, Key, Value) :-
    '$max_assoc'(R, K, V, Key, Value).

%! min_assoc(+Assoc, -Key, -Value)
%  The pair with the smallest key; fails for the empty list.
%  ?- list_to_assoc([a-1,b-2], A), min_assoc(A, K, _).
%  K = a.
min_assoc(t(K,V,_,L,_), Key, Value) :-
    '$min_assoc'(L, K, V, Key, Value).

'$min_assoc'(t, K, V, K, V).
'$min_assoc'(t(K,V,_,L,_), _, _, Key, Value) :-
    '$min_assoc'(L, K, V, Key, Value).

%! del_assoc(+Key, +Assoc0, ?Value, -Assoc)
%  Assoc is Assoc0 without Key, for which it held Value.
%  ?- list_to_assoc([a-1,b-2], A0), del_assoc(a, A0, V, A).
%  V = 1, A = t(b,2,-,t,t).
del_assoc(Key, Assoc0, Value, Assoc) :-
    '$del_assoc'(Assoc0, Key, Value, Assoc, _).

% The last argument says whether the tree lost height.
'$del_assoc'(t(K,V,B,L,R), Key, Value, Assoc, Shrunk) :-
    compare(Order, Key, K),
    '$del_assoc'(Order, K, V, B, L, R, Key, Value, Assoc, Shrunk).

'$del_assoc'(=, _, Value, B, L, R, _, Value, Assoc, Shrunk) :-
    '$del_root'(L, R, B, Assoc, Shrunk).
'$del_assoc'(<, K, V, B, L, R, Key, Value, Assoc, Shrunk) :-
    '$del_assoc'(L, Key, Value, L1, LeftShrunk),
    '$left_shrunk'(LeftShrunk, B, K, V, L1, R, Assoc, Shrunk).
'$del_assoc'(>, K, V, B, L, R, Key, Value, Assoc, Shrunk) :-
    '$del_assoc'(R, Key, Value, R1, RightShrunk),
    '$right_shrunk'(RightShrunk, B, K, V, L, R1, Assoc, Shrunk).

% A neighbour of the root's key takes its place: from the right when that side
% is deeper, else from the left.
'$del_root'(t, R, _, R, yes).
'$del_root'(t(K,V,B1,L1,R1), R, B, Assoc, Shrunk) :-
    (   R == t
    ->  Assoc = t(K,V,B1,L1,R1),
        Shrunk = yes
    ;   B == (>)
    ->  R = t(K2,V2,B2,L2,R2),
        '$del_min'(L2, K2, V2, B2, R2, MinK, MinV, Right, RightShrunk),
        '$right_shrunk'(RightShrunk, B, MinK, MinV, t(K,V,B1,L1,R1), Right, Assoc, Shrunk)
    ;   '$del_max'(R1, K, V, B1, L1, MaxK, MaxV, L, LeftShrunk),
        '$left_shrunk'(LeftShrunk, B, MaxK, MaxV, L, R, Assoc, Shrunk)
    ).

'$del_min'(t, K, V, _, R, K, V, R, yes).
'$del_min'(t(K1,V1,B1,L1,R1), K, V, B, R, MinK, MinV, Assoc, Shrunk) :-
    '$del_min'(L1, K1, V1, B1, R1, MinK, MinV, L, LeftShrunk),
    '$left_shrunk'(LeftShrunk, B, K, V, L, R, Assoc, Shrunk).

'$del_max'(t, K, V, _, L, K, V, L, yes).
'$del_max'(t(K1,V1,B1,L1,R1), K, V, B, L, MaxK, MaxV, Assoc, Shrunk) :-
    '$del_max'(R1, K1, V1, B1, L1, MaxK, MaxV, R, RightShrunk),
    '$right_shrunk'(RightShrunk, B, K, V, L, R, Assoc, Shrunk).

'$left_shrunk'(no, B, K, V, L, R, t(K,V,B,L,R), no).
'$left_shrunk'(yes, B, K, V, L, R, Assoc, Shrunk) :-
    '$deeper_right'(B, K, V, L, R, Assoc, StillDeep),
    '$opposite'(StillDeep, Shrunk).

'$right_shrunk'(no, B, K, V, L, R, t(K,V,B,L,R), no).
'$right_shrunk'(yes, B, K, V, L, R, Assoc, Shrunk) :-
    '$deeper_left'(B, K, V, L, R, Assoc, StillDeep),
    '$opposite'(StillDeep, Shrunk).

'$opposite'(yes, no).
'$opposite'(no, yes).

%! del_min_assoc(+Assoc0, -Key, -Value, -Assoc)
%  Takes the pair with the smallest key out.
%  ?- list_to_assoc([a-1,b-2], A0), del_min_assoc(A0, K, V, _).
%  K = a, V = 1.
del_min_assoc(Assoc0, Key, Value, Assoc) :-
    min_assoc(Assoc0, Key, _),
    del_assoc(Key, Assoc0, Value, Assoc).

%! del_max_assoc(+Assoc0, -Key, -Value, -Assoc)
%  Takes the pair with the largest key out.
%  ?- list_to_assoc([a-1,b-2], A0), del_max_assoc(A0, K, V, _).
%  K = b, V = 2.
del_max_assoc(Assoc0, Key, Value, Assoc) :-
    max_assoc(Assoc0, Key, _),
    del_assoc(Key, Assoc0, Value, Assoc).

%! map_assoc(:Goal, +Assoc)
%  call(Goal, Value) holds for each value.
%  ?- list_to_assoc([a-1,b-2], A), map_assoc(integer, A).
%  true.
map_assoc(Goal, Assoc) :-
    '$map_assoc'(Assoc, Goal).

'$map_assoc'(t, _).
'$map_assoc'(t(_,V,_,L,R), Goal) :-
    '$map_assoc'(L, Goal),
    call(Goal, V),
    '$map_assoc'(R, Goal).

%! map_assoc(:Goal, +Assoc0, ?Assoc)
%  Assoc has the keys of Assoc0 and the values that call(Goal, V0, V) gives.
%  ?- list_to_assoc([a-1], A0), map_assoc(succ, A0, A).
%  A = t(a,2,-,t,t).
map_assoc(Goal, Assoc0, Assoc) :-
    '$map_assoc'(Assoc0, Goal, Assoc).

'$map_assoc'(t, _, t).
'$map_assoc'(t(K,V0,B,L0,R0), Goal, t(K,V,B,L,R)) :-
    '$map_assoc'(L0, Goal, L),
    call(Goal, V0, V),
    '$map_assoc'(R0, Goal, R).

%! transpose_assoc(+Assoc, -Pairs)
%  Value-Key pairs, sorted by value.
%  ?- list_to_assoc([a-2,b-1], A), transpose_assoc(A, L).
%  L = [1-b,2-a].
transpose_assoc(Assoc, Pairs) :-
    assoc_to_list(Assoc, List),
    transpose_pairs(List, Pairs).

%! is_assoc(@Assoc)
%  Assoc is an association list: balanced, with ascending keys.
%  ?- is_assoc(t(k,v,<,t,t)).
%  false.
is_assoc(Assoc) :-
    nonvar(Assoc),
    '$assoc_height'(Assoc, _),
    assoc_to_list(Assoc, Pairs),
    '$ascending_keys'(Pairs).

'$assoc_height'(Assoc, Height) :-
    nonvar(Assoc),
    '$assoc_node_height'(Assoc, Height).

'$assoc_node_height'(t, 0).
'$assoc_node_height'(t(_,_,B,L,R), Height) :-
    '$assoc_height'(L, HL),
    '$assoc_height'(R, HR),
    '$assoc_balance'(B, HL, HR),
    Height is max(HL, HR) + 1.

'$assoc_balance'(B, HL, HR) :-
    (   B == (-)
    ->  HL =:= HR
    ;   B == (<)
    ->  HL =:= HR + 1
    ;   B == (>),
        HR =:= HL + 1
    ).
