% A file with tests, some of which fail on purpose.
:- use_module(library(plunit)).

likes(mary, wine).
likes(john, X) :- likes(mary, X).
happy(X) :- likes(X, whine).

:- dynamic seen/1.
note(X) :- assertz(seen(X)).

:- begin_tests(family).
drink(wine).
test(john, X == wine) :- likes(john, X).
test(happy) :- likes(mary, W), drink(W), happy(mary).
test(who, all(X == [mary])) :- likes(X, wine).
test(unknown, error(existence_error(_, _))) :- hates(john, wine).
test(wrong, X == 3) :- X is 2 + 2.
test(times, [forall(member(X, [1,2,3])), Y =:= X * 2]) :- Y is X + 2.
test(choice) :- likes(_, wine).
test(writes) :- write(hello), nl, likes(mary, beer).
test(later, blocked('no beer yet')) :- likes(mary, beer).
:- end_tests(family).

:- begin_tests(notes, [setup(note(1)), cleanup(retractall(user:seen(_)))]).
drink(beer).
test(seen, all(X == [1])) :- seen(X).
test(own, all(X == [beer])) :- drink(X).
test(own_fact) :- assertz(seen(2)), seen(2), \+ seen(1).
test(assertions) :- assertion(seen(2)), assertion(seen(3)).
:- end_tests(notes).
