% The state comes first: move/4 takes it third.
%! W0401 8
%! E0502 8

initial_state(5).
initial_player(a).
opponent(a, b). opponent(b, a).
move(N, J, take(K), M) :- member(K, [1,2,3]), K =< N, M is N - K.
terminal(_, 0).
utility(_, 0, 1).
