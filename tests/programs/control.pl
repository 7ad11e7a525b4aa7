% Control: cut and its scope, if-then-else, negation, call/N, repeat, between loops.

a(1). a(2). a(3).
b(1, x). b(2, y). b(3, z).

t1(X) :- a(X), !.
t2(X) :- a(X), X > 1, !.
t3(X, Y) :- a(X), once(b(X, Y)).
t4(X) :- ( a(X), X > 1 -> true ; X = none ).
t5(X) :- ( fail -> X = 1 ; X = 2 ).
t6(X) :- ( a(X) *-> true ; X = none ).
t7(X) :- ( fail *-> true ; X = none ).
t8(X) :- call((a(X), !)).
t9(X) :- a(X), \+ X = 2.
t10(X) :- ( a(X), ! ; X = other ).
t11(X) :- G = !, a(X), call(G).
t12(X, Y) :- a(X), ( X < 2 -> Y = small ; X < 3 -> Y = middle ; Y = large ).
t13(X) :- ( true ; X = 9 ), ( a(X) -> true ; fail ).
t14(X) :- findall(Y, ( a(Y), ! ), X).
t15(X) :- forall(a(Y), ( Y > 0, ! )), X = yes.
t16(X) :- \+ \+ ( X = 1, X == 1 ).
t17(X) :- ( X = 1 ; X = 2, ! ; X = 3 ).
t18(X) :- a(X), ( X = 2, ! ; true ).
t19(X) :- catch(( a(X), ! ), _, true).
t20(X) :- ( \+ a(7) -> X = no7 ; X = has7 ).
t21 :- not(fail), \+ (fail), \+ \+ true.
t22(X) :- ( a(X), X >= 2 -> ! ; X = 0 ).
t22(99).

max(X, Y, Z) :- X >= Y, !, Z = X.
max(_, Y, Y).

len([], 0).
len([_|T], N) :- len(T, N0), N is N0+1.

count_to(N) :- between(1, N, I), write(I), write(' '), fail.
count_to(_) :- nl.

until(N) :- nb_setval(u, 0), repeat, nb_getval(u, I), I1 is I+1, nb_setval(u, I1), I1 >= N, !.

even(0) :- !.
even(N) :- N > 0, M is N-1, odd(M).
odd(N) :- N > 0, M is N-1, even(M).

add(N, X, Y) :- Y is X+N.
compose(F, G, X, Y) :- call(G, X, Z), call(F, Z, Y).

%? t1(X).
%= X = 1
%? t2(X).
%= X = 2
%? t3(X, Y).
%= X = 1, Y = x
%= X = 2, Y = y
%= X = 3, Y = z
%? t4(X).
%= X = 2
%? t5(X).
%= X = 2
%? t6(X).
%= X = 1
%= X = 2
%= X = 3
%? t7(X).
%= X = none
%? t8(X).
%= X = 1
%? t9(X).
%= X = 1
%= X = 3
%? t10(X).
%= X = 1
%? t11(X).
%= X = 1
%= X = 2
%= X = 3
%? t12(X, Y).
%= X = 1, Y = small
%= X = 2, Y = middle
%= X = 3, Y = large
%? t13(X).
%= X = 1
%? t14(X).
%= X = [1]
%? t15(X).
%= X = yes
%? t16(X).
%= X = _
%? t17(X).
%= X = 1
%= X = 2
%? t18(X).
%= X = 1
%= X = 2
%? t19(X).
%= X = 1
%? t20(X).
%= X = no7
%? t21.
%= true
%? t22(X).
%= X = 2
%? max(3, 2, Z).
%= Z = 3
%? max(2, 3, Z).
%= Z = 3
%? max(3, 2, 2).
%= false
%? count_to(5).
%> 1 2 3 4 5 
%= true
%? until(10), nb_getval(u, N).
%= N = 10
%? even(100000).
%= true
%? numlist(1, 200000, _L), len(_L, N).
%= N = 200000
%? call(add(2), 3, X).
%= X = 5
%? compose(add(1), add(10), 5, Y).
%= Y = 16
%? maplist(add(1), [1,2,3], L).
%= L = [2,3,4]
%? foldl([X,A,B]>>(B is A+X), [1,2,3], 0, S).
%= X = _, A = _, B = _, S = 6
%? N = 10, maplist([X,Y]>>(Y is X*N), [1,2], L).
%= N = 10, X = _, Y = _, L = [10,20]
%? G = format("~w-~w~n"), call(G, [a,b]).
%> a-b
%= G = format("~w-~w~n")
%? X = 1, ( X == 1 -> Y = one ; Y = other ).
%= X = 1, Y = one
%? ( true ; true ).
%= true
%= true
%? ( member(X, [1,2,3]), X > 1 -> true ; X = 0 ).
%= X = 2
%? \+ member(x, [a,b]).
%= true
%? forall(member(X, [1,2]), X > 0).
%= X = _
%? once(member(X, [a,b])).
%= X = a
%? ignore((member(X, [a,b]), write(X))).
%> a
%= X = a
%? between(1, 3, X).
%= X = 1
%= X = 2
%= X = 3
%? between(1, inf, X), X*X > 50, !.
%= X = 8
%? between(3, 1, _).
%= false
%? between(2, 2, X).
%= X = 2
%? succ(X, 4), succ(4, Y).
%= X = 3, Y = 5
%? succ(_, 0).
%= false
%? plus(1, X, 5).
%= X = 4
%? call(,, true, true).
%! error(syntax_error(_))
%? call(',', true, true).
%= true
%? X = f(Y), Y = 1, call(=, X, Z).
%= X = f(1), Y = 1, Z = f(1)
%? apply(add(1), [2,X]).
%= X = 3
%? findall(X-Y, (member(X, [1,2]), (X = 1 -> Y = a ; Y = b)), L).
%= X = _, Y = _, L = [1-a,2-b]
%? G = (member(X, [1,2,3]), X > 1), call(G), !.
%= G = (member(2,[1,2,3]),2>1), X = 2
%? not(member(x, [a])).
%= true
%? true, !, fail ; true.
%= false

% A disjunction of tests has an answer for each that holds; in a condition one is enough.

either(A) :- ( A >= 0 ; A =:= 0 ; A > 5 ).
either_first(A, X) :- ( A >= 0 ; A =:= 0 ), X = A.
either_nested(A) :- integer(A), ( ( A < 9 ; A == 0 ), A < 3 ; A = 0 ).
either_condition(A, X) :- ( ( A >= 0 ; A =:= 0 ), A < 9 -> X = y ; X = n ).
either_not(A) :- \+ ( A < 0 ; A > 5 ).
either_soft(A) :- ( ( A >= 0 ; A =:= 0 ) *-> true ; fail ).
either_twice :- \+ ( ( true ; true ), write(x), fail ).

%? findall(x, either(0), L).
%= L = [x,x]
%? findall(x, either(7), L).
%= L = [x,x]
%? findall(X, either_first(0, X), L).
%= X = _, L = [0,0]
%? findall(x, either_nested(0), L).
%= L = [x,x,x]
%? findall(X, either_condition(0, X), L).
%= X = _, L = [y]
%? findall(X, either_condition(-1, X), L).
%= X = _, L = [n]
%? findall(x, either_not(0), L).
%= L = [x]
%? either_not(6).
%= false
%? findall(x, either_soft(0), L).
%= L = [x,x]
%? findall(x, ( true ; true ), L).
%= L = [x,x]
%? either_twice.
%> xx
%= true
%? forall(( true ; true ), write(y)).
%> yy
%= true
%? once(( fail ; true )), \+ \+ ( fail ; true ).
%= true

% A condition that ends in true: what stands before it is tried, and counts for nothing.

either_true(A) :- once(( A \== 3 ; true )).
either_last(A) :- ( fail ; once(( A \== 3 ; true )) ).

%? findall(x, either_true(1), L).
%= L = [x]
%? findall(x, either_true(3), L).
%= L = [x]
%? findall(x, either_last(1), L).
%= L = [x]
