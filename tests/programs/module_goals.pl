% Goals that a module hands to predicates of libraries are its own.

:- use_module(modules/handed).

add(_, _, user).
double(_, user).
odd(user).

%? folded(S).
%= S = 6
%? mapped(L).
%= L = [2,4]
%? greatest(X).
%= X = aaa
%? parted(P).
%= P = [1,2]-[3]-[4]
%? args(T).
%= T = f(2,4)
%? sequenced(L).
%= L = [1,2]
%? found(L).
%= L = [2,4]
%? here(M).
%= M = handed
%? locked(3).
%= true
