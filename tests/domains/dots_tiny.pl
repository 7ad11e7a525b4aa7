% Dots and boxes, two boxes side by side. g(Lines, A, B): lines drawn (sorted)
% and boxes of the two. Closing a box keeps the turn.
initial_state(g([], 0, 0, a)).

to_move(g(_,_,_,J), J).
initial_player(a).
opponent(a, b).
opponent(b, a).

line(N) :- between(1, 7, N).

% lines around the boxes; 4 lies between them
box([1,2,3,4]).
box([4,5,6,7]).

move(_, L, g(Ls1,A1,B1,J), g(Ls2,A2,B2,K)) :-
    line(L),
    \+ memberchk(L, Ls1),
    ord_add_element(Ls1, L, Ls2),
    closed(Ls1, N1), closed(Ls2, N2),
    Won is N2 - N1,
    score(J, Won, A1, B1, A2, B2),
    (  Won > 0 -> K = J ; opponent(J, K) ).

closed(Ls, N) :- aggregate_all(count, ( box(B), subset(B, Ls) ), N).

score(a, W, A, B, A1, B) :- A1 is A + W.
score(b, W, A, B, A, B1) :- B1 is B + W.

terminal(_, g(Ls,_,_,_)) :- length(Ls, 7).

utility(a, g(_,A,B,_), U) :- U is A - B.
utility(b, g(_,A,B,_), U) :- U is B - A.

heuristic(J, S, U) :- utility(J, S, U).
