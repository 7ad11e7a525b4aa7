% Tests that pass, fail and raise, for the tests of records.
:- begin_tests(sums).
test(add, X =:= 4) :- X is 2 + 2.
test(wrong, X == 5) :- X is 2 + 2.
test(raises) :- write(before), X is foo + 1, write(X).
test(later, blocked(later)) :- fail.
:- end_tests(sums).
