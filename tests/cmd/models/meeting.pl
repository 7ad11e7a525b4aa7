% Three meetings of one hour between 9 and 12, one after the other, and Ann can't before 11.

:- use_module(library(clpfd)).

model([ann=Ann, bob=Bob, eve=Eve]) :-
    [Ann,Bob,Eve] ins 9..11,
    all_different([Ann,Bob,Eve]),
    Ann #>= 11,
    Bob #> Ann.
