% Runs its own tests when it is loaded, as homework does.

twice(X, Y) :- Y is X * 2.

:- begin_tests(twice).
test(two, X == 4) :- twice(2, X).
:- end_tests(twice).

:- initialization((run_tests, halt)).
