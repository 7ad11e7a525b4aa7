% Ann is twice as old as Bob, and together they are 27; Eve is younger than both.

:- use_module(library(clpfd)).

model([ann=Ann, bob=Bob, eve=Eve]) :-
    [Ann,Bob,Eve] ins 0..20,
    Ann #= 2 * Bob,
    Ann + Bob #= 27,
    Eve #< Bob,
    Eve #> 6,
    label([Eve]).
