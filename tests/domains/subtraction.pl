% Subtraction game: take a number of S; the set is configured by facts.
:- dynamic allowed/1, loser/1.

allowed(1).
allowed(3).
allowed(4).

:- assertz(allowed(9)).
:- retract(allowed(3)).

loser(whoever_cannot_move).

initial_state(40).
initial_player(p1).
opponent(p1, p2).
opponent(p2, p1).

move(_, K, N, M) :- allowed(K), N >= K, M is N - K.

terminal(J, N) :- \+ move(J, _, N, _).

utility(_, _, U) :- loser(whoever_cannot_move) -> U is -1 ; U is 1.

heuristic(_, N, H) :- H is (N mod 5) / 10.
