% Who wins gets one, a draw is worth a half to both: floats and integers, which add up to one.

initial_state(heap(3, none)).

initial_player(a).

opponent(a, b).
opponent(b, a).

move(J, take, heap(N, _), heap(M, J)) :- N > 0, M is N - 1.
move(J, double, heap(N, _), heap(M, J)) :- N > 1, M is N - 2.
move(_, agree, heap(2, _), drawn).

terminal(_, heap(0, _)).
terminal(_, drawn).

utility(_, drawn, 0.5) :- !.
utility(J, heap(0, Last), U) :- ( J == Last -> U = 1 ; U = 0 ).
