% Tower of Hanoi, pegs are lists, top first.
initial_state([[1,2,3,4,5],[],[]]).
final_state([[],[],_]).

rule(move(D,I,J), 1, S1, S3) :-
    take(S1, I, D, S2),
    put(S2, J, D, S3),
    I \= J.

take([[D|P]|Ps], 1, D, [P|Ps]).
take([P|Ps], N, D, [P|Qs]) :- take(Ps, M, D, Qs), N is M + 1.

put([P|Ps], 1, D, [[D|P]|Ps]) :- fits(D, P).
put([P|Ps], N, D, [P|Qs]) :- put(Ps, M, D, Qs), N is M + 1.

fits(_, []).
fits(D, [E|_]) :- D < E.

heuristic([A,B,_], H) :- length(A, N), length(B, M), H is N + M.
