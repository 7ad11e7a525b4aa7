% A test stands before its variables are bound.
% query: sibling(ann, bob)
% culprit: 9

parent(tom, ann).
parent(tom, bob).

sibling(X, Y) :-
    P \= Q,
    parent(P, X),
    parent(Q, Y).
