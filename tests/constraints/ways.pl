% Goals with several ways, and goals that ask for values.
:- use_module(library(clpfd)).

two_ways(X, Y) :-
    member(X, [1,2]),
    Y #< X,
    Y #> 3.

second_way(X, Y) :-
    member(X, [1,9]),
    Y #< X,
    Y #> 3.

false_values(X) :-
    member(X, [1,2,3]),
    X #> 5.

labelled(X, Y) :-
    X in 1..9,
    Y in 1..9,
    X #> 5,
    X #< 4,
    label([X,Y]),
    X < Y.

after_label(X) :-
    X in 1..9,
    label([X]),
    X > 10.

optimised(X, Y) :-
    [X,Y] ins 1..9,
    X #> Y,
    Y #> X,
    labeling([max(X)], [X,Y]).

no_constraint(X) :-
    X in 1..3,
    atom(X).

asked(X, Y) :-
    X in 1..3,
    fd_sup(X, Most),
    Y #> Most,
    Y #< X.

possible(X) :-
    X in 1..3.

open(X, Y) :-
    X in 1..9,
    Y * Y * Y #= 4 * Y * X * X + 2 + Y * Y.
