% The same in the head of a game's move, whose operands only between/3 counts with.
%! W0516 5
initial_state(h(3,2)). initial_player(a). opponent(a, b). opponent(b, a).
terminal(_, h(0,0)). utility(_, h(0,0), -1).
move(_, l(K), h(A,B), h(A-K,B)) :- between(1,A,K).
move(_, r(K), h(A,B), h(A,C)) :- between(1,B,K), C is B-K.
