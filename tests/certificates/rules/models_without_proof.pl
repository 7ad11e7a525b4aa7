:- use_module(library(clpfd)).

model(choice, [x=X]) :- X in 1..3, ( X #> 3 -> true ; X #> 4 ).
model(ways, [x=X]) :- member(Y, [4,5]), X in 1..3, X #> Y.
model(labels, [x=X]) :- X in 1..3, label([X]), X #> 4.
model(large, [x=X]) :- X in 0..9999999999, X #> 99999999999.
model(costs, [x=[A,B]]) :-
    [A,B] ins 1..2, global_cardinality([A,B], [1-_,2-_], [cost(K,[[1,2],[1,2]])]), K #> 9.
