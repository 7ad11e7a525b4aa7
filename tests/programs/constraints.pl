% Constraints over integers, as library(clpfd) of SWI-Prolog has them.

:- use_module(library(clpfd)).

% Sets of integers as terms.

%? X in 1..5, X #\= 3, fd_set(X, Set), fdset_to_list(Set, L), fdset_to_range(Set, R), X = 1.
%= X = 1, Set = split(3,from_to(n(1),n(2)),from_to(n(4),n(5))), L = [1,2,4,5], R = 1..2\/4..5

%? list_to_fdset([7,2,1,3,2], S), X in_set S, fd_dom(X, D), X #> 3.
%= S = split(6,from_to(n(1),n(3)),from_to(n(7),n(7))), X = 7, D = 1..3\/7

%? list_to_fdset([1,5], S), B #<==> (X in_set S), X = 4.
%= S = split(4,from_to(n(1),n(1)),from_to(n(5),n(5))), B = 0, X = 4

%? empty_fdset(S), X in_set S.
%= false

%? range_to_fdset(2..sup, S), fdset_min(S, A), fdset_max(S, B), fdset_size(S, N), fdset_complement(S, C).
%= S = from_to(n(2),sup), A = 2, B = sup, N = sup, C = from_to(inf,n(1))

%? empty_fdset(_S), fdset_size(_S, N), fdset_to_list(_S, L), fdset_to_range(_S, R).
%= N = 0, L = [], R = 1..0

%? empty_fdset(S), fdset_min(S, _).
%= false

%? fdset_singleton(_S, 4), fdset_to_range(_S, R), fdset_singleton(_S, E).
%= R = 4, E = 4

%? list_to_fdset([1,3], _A), list_to_fdset([2,3], _B), fdset_union(_A, _B, _U), fdset_intersection(_A, _B, _I), fdset_subtract(_A, _B, _D), maplist(fdset_to_list, [_U,_I,_D], L).
%= L = [[1,2,3],[3],[1]]

%? findall(_S, (member(_X, [1,2,5]), fdset_singleton(_S, _X)), _Ss), fdset_union(_Ss, _U), fdset_to_range(_U, R).
%= R = 1..2\/5

%? list_to_fdset([1,2,5,6,9], _S), fdset_parts(_S, Min, Max, _Rest), fdset_to_list(_Rest, L).
%= Min = 1, Max = 2, L = [5,6,9]

%? fdset_interval(_R, 5, sup), fdset_parts(S, 1, 3, _R), fdset_to_range(S, D).
%= S = split(4,from_to(n(1),n(3)),from_to(n(5),sup)), D = 1..3\/5..sup

%? fdset_interval(_R, 4, 6), fdset_parts(_, 1, 3, _R).
%= false

%? list_to_fdset([1,3,4], _S), fdset_member(X, _S).
%= X = 1
%= X = 3
%= X = 4

%? range_to_fdset(1..3, _S), fdset_member(2, _S), \+ fdset_member(4, _S), fdset_add_element(_S, 9, _T), fdset_del_element(_T, 2, _U), fdset_to_list(_U, L).
%= L = [1,3,9]

%? list_to_fdset([1,2], _A), list_to_fdset([2,3], _B), list_to_fdset([2], _C), fdset_intersect(_A, _B), \+ fdset_disjoint(_A, _B), fdset_subset(_C, _A), \+ fdset_subset(_A, _C), fdset_eq(split(3,from_to(n(1),n(2)),empty), _A).
%= true

%? is_fdset(_).
%= false

%? is_fdset(from_to(n(3),n(1))).
%= false

%? is_fdset(split(2,from_to(n(1),n(2)),from_to(n(4),n(4)))).
%= false

%? is_fdset(split(3,from_to(n(1),n(2)),from_to(n(4),sup))).
%= true

%? empty_interval(3, 2), empty_interval(sup, inf), \+ empty_interval(2, 2), \+ empty_interval(inf, 3).
%= true

%? range_to_fdset(foo, _).
%! error(domain_error(clpfd_domain,foo))

% Domains as lists between braces.

%? X in {5,3,8} \/ 10, fd_dom(X, D), X #> 8.
%= X = 10, D = 3\/5\/8\/10

%? [X,Y] ins {1,2}, X #> Y.
%= X = 2, Y = 1

%? X in {1,a}.
%! error(domain_error(clpfd_domain,{1,a}))

% The goals that are left come in the order in which variables were constrained first.

%? [_A,_B,_C] ins 1..3, _A #\= _C, _B #\= _A, copy_term([_A,_B,_C], [a,b,c], Gs).
%= Gs = [clpfd:(a in 1..3),clpfd:(b#\=a),clpfd:(a#\=c),clpfd:(b in 1..3),clpfd:(c in 1..3)]

%? _X #> _Y, _Y #> _Z, copy_term([_X,_Y,_Z], [x,y,z], Gs).
%= Gs = [clpfd:(z#=<y+ -1),clpfd:(y#=<x+ -1)]

%? _X #= abs(_Y), _Y in -3..2, copy_term([_X,_Y], [x,y], Gs).
%= Gs = [clpfd:(y in -3..2),clpfd:(x#=abs(y)),clpfd:(x in 0..3)]

%? _B #<==> (_X #= 3), copy_term([_X,_B], [x,b], Gs).
%= Gs = [clpfd:(b in 0..1),clpfd:(x#=3#<==>b)]

%? _X #= 2*_Y + 3*_Z - 4, copy_term([_X,_Y,_Z], [x,y,z], Gs).
%= Gs = [clpfd:(x+4#=2*y+3*z)]

%? _X #= _Y /\ 1, copy_term([_X,_Y], [x,y], Gs).
%= Gs = [clpfd:(x#=y/\1)]

%? _X #\ _Y, copy_term([_X,_Y], [x,y], Gs).
%= Gs = [clpfd:(x in 0..1),clpfd:(x#/\y#<==>0),clpfd:(x#\/y#<==>1),clpfd:(y in 0..1)]

%? X #\ Y, X = 1.
%= X = 1, Y = 0

% Variables of constraints are marked where the flag wants it.

%? set_prolog_flag(clpfd_monotonic, true), X #= 3.
%! error(instantiation_error)

%? #(X) #= 3 + 4.
%= X = 7

%? X = 3, #(Y) #= X.
%= X = 3, Y = 3

%? _X in 1..3, #(_Y) #> _X, copy_term([_X,_Y], [x,y], Gs).
%= Gs = [clpfd:(x in 1..3),clpfd:(#(x)#=< #(y)+ -1),clpfd:(y in 2..sup)]

%? X #<==> Y.
%! error(instantiation_error)

%? [X,Y] ins 0..2, chain([X,Y], #<), sum([X,Y], #=, 3), label([X,Y]).
%= X = 1, Y = 2

%? [X,Y] ins 1..2, labeling([max(#(X)-Y)], [X,Y]), !.
%= X = 2, Y = 1

%? set_prolog_flag(clpfd_monotonic, maybe).
%! error(domain_error(flag_value,clpfd_monotonic+maybe))

%? set_prolog_flag(clpfd_monotonic, false), X #= 3.
%= X = 3

% Matrices.

%? transpose([[1,2,3],[4,5,6]], T).
%= T = [[1,4],[2,5],[3,6]]

%? transpose(_, _).
%! error(instantiation_error)

%? transpose([[1,2],_], _).
%! error(instantiation_error)

% A choice point keeps what was there before it, with or without a cut behind it.

%? X in 0..9, X #\= 1, ( X #\= 2, X #\= 3, fail ; fd_dom(X, D) ), X = 0.
%= X = 0, D = 0\/2..9

%? X in 0..9, X #\= 1, ( once(( X #\= 2, member(_V, [4,5]), X #\= _V )), fail ; X #\= 7, fd_dom(X, D) ), X = 0.
%= X = 0, D = 0\/2..6\/8..9

%? X in 0..9, X #\= 1, \+ ( X #\= 2, X #> 9 ), X #\= 3, fd_dom(X, D), X = 0.
%= X = 0, D = 0\/2\/4..9

%? X in 0..9, X #\= 1, catch((X #\= 2, X #\= 3, throw(b)), b, true), X #\= 4, fd_dom(X, D), X = 0.
%= X = 0, D = 0\/2..3\/5..9

%? findall(_D, (_X in 0..5, _X #\= 1, member(_V, [2,3]), _X #\= _V, fd_dom(_X, _D)), Ds).
%= Ds = [0\/3..5,0\/2\/4..5]

% A power too large to be computed is not taken for none.

%? X in 6..7, Y in 999999998..1000000000, _ #= X ^ Y, X = 7, Y = 1000000000.
%! error(resource_error(memory))

%? X in -1..1, Y in 999999998..1000000000, Z #= X ^ Y, X = -1, Y = 1000000000.
%= X = -1, Y = 1000000000, Z = 1

% Without values that may be taken there is none, and no variables are no exception.

%? global_cardinality([], []).
%= false

%? global_cardinality([], [1-N]).
%= N = 0

%? X in 1..3, labeling([bisect,random_value(1)], [X]).
%! error(domain_error(bisect_up_or_down,random_value(1)))

%? labeling([bisect,random_value(1)], [1]).
%= true

% What is divided by 0 compares with nothing.

%? B #<==> (_X rdiv 0 #= 2).
%= B = 0

%? B #<==> (_X rdiv Y #= 2), Y = 0.
%= B = 0, Y = 0

%? B #<==> (X rdiv 2 #= 2), X = 4.
%= B = 1, X = 4
%? [A,B,C] ins 1..3, element(I, [A,B,C], 2), maplist(fd_degree, [I,A,B,C], Ds).
%= A = _, B = _, C = _, I = _, Ds = [4,2,2,2]
%? [X,Y] ins 1..9, X #< Y, Y = 4, X #\= 1, fd_degree(X, D).
%= X = _, Y = 4, D = 1
%? Vs = [X,Y,Z], Vs ins 1..3, element(Y, Vs, X), X #\= Z, findall(Vs, labeling([ffc], Vs), L).
%= Vs = [_,_,_], X = _, Y = _, Z = _, L = [[1,1,2],[1,1,3],[2,1,1],[2,1,3],[2,2,1],[2,2,3],[3,1,1],[3,1,2]]
