% The Tower of Hanoi with four pegs: the discs on each, from the top.

initial_state([[1,2,3,4,5,6,7,8],[],[],[]]).
final_state([[],[],[],[1,2,3,4,5,6,7,8]]).
rule(move(I,J), 1, S1, S2) :-
    nth1(I, S1, [D|Rest]), nth1(J, S1, To), J \== I,
    ( To = [E|_] -> D < E ; true ),
    put(I, S1, Rest, S), put(J, S, [D|To], S2).
put(1, [_|T], X, [X|T]).
put(N, [H|T], X, [H|U]) :- N > 1, N1 is N - 1, put(N1, T, X, U).
