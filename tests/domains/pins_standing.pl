% Pins in a row, those that stand as an ordered set: a ball knocks down one, or two that are
% neighbours. Who knocks down the last one wins.
initial_state([1,2,3,4,5,6,7]).
initial_player(one).
opponent(one, two).
opponent(two, one).

move(_, [P], S, T) :- member(P, S), ord_del_element(S, P, T).
move(_, [P,Q], S, T) :- member(P, S), Q is P + 1, memberchk(Q, S), subtract(S, [P,Q], T).

terminal(_, []).
utility(_, [], -1).

heuristic(_, S, H) :- length(S, N), H is N mod 2.
