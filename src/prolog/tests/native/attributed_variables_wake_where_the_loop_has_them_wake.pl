:- use_module(library(when)).
eq(X, X). lst([a|_]). str(f(_, b)). pair(X, Y) :- X = 1, Y = 2.
test(X, Y) :- X = 1, ( Y > 0 -> true ; fail ).
neck(X, R) :- X = 1, !, R = one. neck(_, other).
head(1, one) :- !. head(2, two) :- !. head(_, other).
num(X, R) :- ( integer(X) -> R = int ; R = no ).
cut(X) :- eq(X, 1), !. cut(_).

?- freeze(X, write(x)), eq(X, 1)
?- freeze(X, fail), eq(X, 1)
?- freeze(X, fail), head(X, R)
?- freeze(X, X == 2), head(X, R)
?- freeze(X, fail), neck(X, R)
?- freeze(X, X = [_]), lst(X)
?- freeze(X, X = f(c, _)), str(X)
?- freeze(X, Y = 2), test(X, Y)
?- freeze(X, Y = 0), test(X, Y)
?- dif(X, 1), cut(X)
?- dif(X, Y), pair(X, Y)
?- dif(X, Y), eq(X, Y)
?- dif(f(X, Y), f(1, 2)), pair(X, Y)
?- when(ground(X+Y), Z = done), pair(X, Y)
?- freeze(X, num(Y, R)), Y = 1, eq(X, a)
?- freeze(X, throw(oops)), catch(eq(X, 1), E, true)
