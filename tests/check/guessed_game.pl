% A game under the names that people guess.
%! W0507 9
%! W0507 10
%! W0507 11
%! W0507 12
%! W0507 13
%! W0507 14

start(16).
first_player(a).
other_player(a, b). other_player(b, a).
legal_move(_, take(K), N, M) :- member(K, [1,2,3]), K =< N, M is N - K.
game_over(_, 0).
winner(0, J, J).
