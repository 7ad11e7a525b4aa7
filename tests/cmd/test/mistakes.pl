:- begin_tests(first).
test(no_body).
test(two_ways, [X == 1, fail]) :- X = 1.
test(mistyped, [seutp(true)]) :- true.
test(fine) :- true.
:- end_tests(frist).
test(outside) :- true.
:- begin_tests(second, [setup(nowhere)]).
test(never) :- true.
