% Sorting, in as many ways as courses teach.

quick([], []).
quick([X|Xs], Sorted) :-
    part(Xs, X, Small, Big),
    quick(Small, S), quick(Big, B),
    append(S, [X|B], Sorted).

part([], _, [], []).
part([X|Xs], P, [X|S], B) :- X =< P, !, part(Xs, P, S, B).
part([X|Xs], P, S, [X|B]) :- part(Xs, P, S, B).

% with difference lists
quick_dl(Xs, Sorted) :- qdl(Xs, Sorted-[]).
qdl([], Z-Z).
qdl([X|Xs], A-Z) :- part(Xs, X, S, B), qdl(S, A-[X|M]), qdl(B, M-Z).

insertion([], []).
insertion([X|Xs], S) :- insertion(Xs, S0), insert(X, S0, S).
insert(X, [Y|Ys], [Y|Zs]) :- X > Y, !, insert(X, Ys, Zs).
insert(X, Ys, [X|Ys]).

bubble(L, S) :- swap(L, L1), !, bubble(L1, S).
bubble(L, L).
swap([X,Y|T], [Y,X|T]) :- X > Y.
swap([Z|T], [Z|T1]) :- swap(T, T1).

mergesort([], []) :- !.
mergesort([X], [X]) :- !.
mergesort(L, S) :- split(L, A, B), mergesort(A, SA), mergesort(B, SB), merge(SA, SB, S).
split([], [], []).
split([X], [X], []).
split([X,Y|T], [X|A], [Y|B]) :- split(T, A, B).
merge([], L, L) :- !.
merge(L, [], L) :- !.
merge([X|Xs], [Y|Ys], [X|Zs]) :- X =< Y, !, merge(Xs, [Y|Ys], Zs).
merge(Xs, [Y|Ys], [Y|Zs]) :- merge(Xs, Ys, Zs).

slow(L, S) :- permutation(L, S), ordered(S), !.
ordered([]).
ordered([_]).
ordered([X,Y|T]) :- X =< Y, ordered([Y|T]).

selection([], []).
selection(L, [M|S]) :- min_list(L, M), selectchk(M, L, R), selection(R, S).

tree_sort(L, S) :- build(L, nil, T), walk(T, S, []).
build([], T, T).
build([X|Xs], T0, T) :- add(T0, X, T1), build(Xs, T1, T).
add(nil, X, t(nil,X,nil)).
add(t(L,Y,R), X, t(L1,Y,R)) :- X < Y, !, add(L, X, L1).
add(t(L,Y,R), X, t(L,Y,R1)) :- add(R, X, R1).
walk(nil, S, S).
walk(t(L,X,R), S0, S) :- walk(L, S0, [X|S1]), walk(R, S1, S).

data([3,1,4,1,5,9,2,6,5,3,5,8,9,7,9]).

by_length(O, A, B) :- atom_length(A, LA), atom_length(B, LB), compare(O0, LA, LB), ( O0 = (=) -> compare(O, A, B) ; O = O0 ).

%? data(_L), quick(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), quick_dl(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), insertion(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), bubble(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), mergesort(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? slow([3,1,2,5,4], S).
%= S = [1,2,3,4,5]
%? data(_L), selection(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), tree_sort(_L, S).
%= S = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9]
%? data(_L), msort(_L, M), sort(_L, S).
%= M = [1,1,2,3,3,4,5,5,5,6,7,8,9,9,9], S = [1,2,3,4,5,6,7,8,9]
%? sort(0, @>=, [3,1,2,3], D), sort(0, @>, [3,1,2,3], E), sort(0, @=<, [3,1,2,3], F).
%= D = [3,3,2,1], E = [3,2,1], F = [1,2,3,3]
%? sort(1, @<, [p(2,a),p(1,b),p(2,c)], L).
%= L = [p(1,b),p(2,a)]
%? sort(1, @=<, [p(2,a),p(1,b),p(2,c)], L).
%= L = [p(1,b),p(2,a),p(2,c)]
%? sort(2, @>=, [p(2,a),p(1,b),p(2,c)], L).
%= L = [p(2,c),p(1,b),p(2,a)]
%? keysort([b-1,a-2,b-0,a-1], L).
%= L = [a-2,a-1,b-1,b-0]
%? predsort(by_length, [pear,fig,apple,kiwi,fig], L).
%= L = [fig,kiwi,pear,apple]
%? sort([c,1,B,"s",f(x),2.0,a,B,g(a,b),f(y)], L).
%= B = _, L = [_,1,2.0,"s",a,c,f(x),f(y),g(a,b)]
%? msort([b,a,c,a], L).
%= L = [a,a,b,c]
%? sort([], L).
%= L = []
%? keysort([a|_], _).
%! error(instantiation_error)
%? keysort([a], _).
%! error(type_error(pair,a))
%? msort(a, _).
%! error(type_error(list,a))
%? sort(_, _).
%! error(instantiation_error)
