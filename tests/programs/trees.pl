% Binary trees, AVL trees, tries, and the library's association lists and heaps.

insert(nil, X, t(nil,X,nil)) :- !.
insert(t(L,Y,R), X, t(L1,Y,R)) :- X @< Y, !, insert(L, X, L1).
insert(t(L,Y,R), X, t(L,Y,R1)) :- X @> Y, !, insert(R, X, R1).
insert(T, _, T).

tree([], T, T).
tree([X|Xs], T0, T) :- insert(T0, X, T1), tree(Xs, T1, T).

depth(nil, 0).
depth(t(L,_,R), D) :- depth(L, DL), depth(R, DR), D is max(DL, DR)+1.

inorder(nil) --> [].
inorder(t(L,X,R)) --> inorder(L), [X], inorder(R).

mirror(nil, nil).
mirror(t(L,X,R), t(R1,X,L1)) :- mirror(L, L1), mirror(R, R1).

% AVL insertion with heights
h(nil, 0).
h(n(_,_,_,H), H).
node(L, X, R, n(L,X,R,H)) :- h(L, HL), h(R, HR), H is max(HL, HR)+1.
ins(nil, X, n(nil,X,nil,1)) :- !.
ins(n(L,Y,R,_), X, T) :- X < Y, !, ins(L, X, L1), balance(L1, Y, R, T).
ins(n(L,Y,R,_), X, T) :- X > Y, !, ins(R, X, R1), balance(L, Y, R1, T).
ins(T, _, T).
balance(L, X, R, T) :- h(L, HL), h(R, HR), D is HL-HR, rebalance(D, L, X, R, T).
rebalance(2, n(A,Y,B,_), X, C, T) :- h(A, HA), h(B, HB), HA >= HB, !, node(B, X, C, N), node(A, Y, N, T).
rebalance(2, n(A,Y,n(B,Z,C,_),_), X, D, T) :- !, node(A, Y, B, N1), node(C, X, D, N2), node(N1, Z, N2, T).
rebalance(-2, A, X, n(B,Y,C,_), T) :- h(B, HB), h(C, HC), HC >= HB, !, node(A, X, B, N), node(N, Y, C, T).
rebalance(-2, A, X, n(n(B,Z,C,_),Y,D,_), T) :- !, node(A, X, B, N1), node(C, Y, D, N2), node(N1, Z, N2, T).
rebalance(_, L, X, R, T) :- node(L, X, R, T).
avl([], T, T).
avl([X|Xs], T0, T) :- ins(T0, X, T1), avl(Xs, T1, T).

count_words(Ws, Pairs) :- empty_assoc(A0), foldl(count_word, Ws, A0, A), assoc_to_list(A, Pairs).
count_word(W, A0, A) :- ( get_assoc(W, A0, N0) -> true ; N0 = 0 ), N is N0+1, put_assoc(W, A0, N, A).

heapsort(L, S) :- findall(X-X, member(X, L), Ps), list_to_heap(Ps, H), heap_to_list(H, Q), pairs_keys(Q, S).

%? tree([5,2,8,1,9,3], nil, T).
%= T = t(t(t(nil,1,nil),2,t(nil,3,nil)),5,t(nil,8,t(nil,9,nil)))
%? tree([d,b,a,c], nil, _T), phrase(inorder(_T), L), depth(_T, D).
%= L = [a,b,c,d], D = 3
%? tree([2,1,3], nil, _T), mirror(_T, M).
%= M = t(t(nil,3,nil),2,t(nil,1,nil))
%? avl([1,2,3,4,5,6,7], nil, T).
%= T = n(n(n(nil,1,nil,1),2,n(nil,3,nil,1),2),4,n(n(nil,5,nil,1),6,n(nil,7,nil,1),2),3)
%? numlist(1, 100, _L), avl(_L, nil, _T), h(_T, H).
%= H = 7
%? count_words([the,cat,the,dog,a,cat,the], P).
%= P = [a-1,cat-2,dog-1,the-3]
%? list_to_assoc([b-2,a-1,c-3], _A), get_assoc(b, _A, V), assoc_to_keys(_A, Ks), assoc_to_values(_A, Vs), assoc_to_list(_A, L).
%= V = 2, Ks = [a,b,c], Vs = [1,2,3], L = [a-1,b-2,c-3]
%? list_to_assoc([a-1], _A), \+ get_assoc(z, _A, _).
%= true
%? empty_assoc(_A), put_assoc(k, _A, 1, _B), put_assoc(k, _B, 2, _C), assoc_to_list(_C, L).
%= L = [k-2]
%? list_to_assoc([a-1,b-2,c-3], _A), del_assoc(b, _A, V, _B), assoc_to_keys(_B, Ks).
%= V = 2, Ks = [a,c]
%? list_to_assoc([a-1,b-2,c-3], _A), max_assoc(_A, K, V), min_assoc(_A, K1, V1).
%= K = c, V = 3, K1 = a, V1 = 1
%? list_to_assoc([a-1,a-2], _).
%! error(domain_error(unique_key_pairs,[a-1,a-2]))
%? list_to_assoc([a-1,b-2], _A), findall(K-V, gen_assoc(K, _A, V), L).
%= K = _, V = _, L = [a-1,b-2]
%? heapsort([3,1,4,1,5,9,2,6], S).
%= S = [1,1,2,3,4,5,6,9]
%? list_to_heap([3-c,1-a,2-b], _H), get_from_heap(_H, P, K, _H1), heap_size(_H1, N), min_of_heap(_H1, P1, K1).
%= P = 1, K = a, N = 2, P1 = 2, K1 = b
