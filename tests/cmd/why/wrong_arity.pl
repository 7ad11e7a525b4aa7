% A predicate is called with too few arguments.
% query: old(mary)
% culprit: 9

age(mary, 70, years).
age(tom, 12, years).

old(X) :-
    age(X, Years),
    Years > 60.
