% The language of a library that is missing is read and left out.

:- use_module(library(chr)).
:- chr_constraint leq(?any, ?any).
reflexivity  @ leq(X,X) <=> true.
antisymmetry @ leq(X,Y), leq(Y,X) <=> X = Y.
idempotence  @ leq(X,Y) \ leq(X,Y) <=> true.
transitivity @ leq(X,Y), leq(Y,Z) ==> leq(X,Z).
known(1).

%? known(X), \+ current_predicate(('@')/2).
%= X = 1
