% A game that stops without being over, and passes with a wrong name.
initial_state([2,1,0]).
initial_player(w).
opponent(w, b).
opponent(b, w).
move(J, N-I, S, T) :- nth0(I, S, N), N > 0, M is N - 1, sub(S, I, M, T), ( J = w ; I > 0 ).
move(b, pass, [0|T], [T]).
sub([_|T], 0, X, [X|T]) :- !.
sub([H|T], I, X, [H|U]) :- J is I - 1, sub(T, J, X, U).
terminal(_, [0,0,0]).
utility(J, S, U) :- sum_list(S, N), ( J == w -> U is N / 2 ; U = none ).
heuristic(_, S, H) :- sum_list(S, H).
