% A negated goal stands before its variables are bound.
% query: bachelor(john)
% culprit: 10

man(john).
man(paul).
married(paul).

bachelor(X) :-
    \+ married(Y),
    man(Y),
    X = Y.
