% A variable is spelt in two ways: the result is never handed on.
% query: last_of([1, 2, 3], 3)
% culprit: 8

only([X], X).
last_of(List, Last) :-
    reverse(List, Reversed),
    first(Reversd, Last).
first([X|_], X) :- integer(X).
