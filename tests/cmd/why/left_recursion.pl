% The recursion comes before the step.
% query: ancestor(tom, ann)
% culprit: 9

parent(tom, bob).
parent(bob, liz).

ancestor(X, Z) :-
    ancestor(X, Y),
    parent(Y, Z).
ancestor(X, Z) :-
    parent(X, Z).
