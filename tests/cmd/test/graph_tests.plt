% Tests of graph.pl, which `zug test` loads first. The second one runs where it is asked for.
pending :- current_prolog_flag(argv, ['--all'|_]).

:- begin_tests(graph).

test(step, nondet) :- path(a, b).
test(far, [nondet, condition(pending)]) :- path(a, c).

:- end_tests(graph).
