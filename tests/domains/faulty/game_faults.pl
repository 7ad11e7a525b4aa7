% A game whose rules go wrong here and there.
initial_state(heap(9)).
initial_player(a).
opponent(a, b).
opponent(b, a).

move(_, take(K), heap(N), heap(M)) :- member(K, [1,2,3]), M is N - K, check(M).
move(a, odd, heap(N), heap(x)) :- N =:= 7.
move(b, free, heap(4), _).

check(M) :- M >= 0.
check(-1) :- throw(too_many).

terminal(_, heap(N)) :- N =< 0.

utility(a, heap(0), 1).
utility(b, heap(0), -1).

heuristic(J, heap(N), H) :- N > 2, ( J == a -> H is N mod 4 ; N =:= 5, H = low ; N < 5, H is 1 / (N - 3) ; H = 0 ).
