% The arguments of a call are in the wrong order.
% query: grandparent(ann, carl)
% culprit: 10

parent(ann, bob).
parent(bob, carl).

grandparent(X, Z) :-
    parent(X, Y),
    parent(Z, Y).
