% A ring of tokens: it turns, and four neighbours can be turned over (TopSpin).

initial_state(t12, [7,3,4,8,11,2,5,1,12,9,10,6]).
initial_state(t18, [4,9,10,7,8,5,6,11,12,13,14,15,16,17,18,1,2,3]).

final_state([1,2,3,4,5,6,7,8,9,10,11,12]).
final_state([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]).

rule(left, 1, [A|T], S) :- append(T, [A], S).
rule(right, 1, S, [Z|I]) :- append(I, [Z], S).
rule(turn, 1, [A,B,C,D|T], [D,C,B,A|T]).
