% A puzzle, queries and unit tests in one file.

initial_state(3).
final_state(0).
rule(down, 1, S, T) :- S > 0, T is S - 1.

?- member(X, [a, b]).

:- begin_tests(rule).
test(down, S == 2) :- rule(down, _, 3, S).
:- end_tests(rule).

:- expect(cost(3)).
:- expect(member(X, [a, b]), true).
:- expect(answers([a, b])).
:- expect(rule:down, passed).
