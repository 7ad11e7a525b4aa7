% Counters are put on a row of squares, one by one; who puts one says which comes next.
% row(Squares, InHand, Left): empty squares are unbound.
initial_state(row([c(red,round),_,_,_,_,_,_,_,_], c(blue,round),
    [c(red,square), c(blue,square), c(green,round), c(green,square)])).
initial_player(one).
opponent(one, two).
opponent(two, one).

move(_, Place-Next, row(Squares, Counter, Left), row(Squares2, Next, Left2)) :-
    nth1(Place, Squares, Square), var(Square),
    copy_term(Squares, Squares2),
    nth1(Place, Squares2, Counter),
    (   Left == []
    ->  Next = none, Left2 = []
    ;   select(Next, Left, Left2)
    ).

terminal(_, row(_, none, _)).
utility(_, _, 0).
heuristic(_, _, 0).
