% Written by someone who likes cuts. A lift with two people; floors 0 to 4.
% lift(Floor, Who, Where): Where is a list of floor or in.
initial_state(lift(0, [p,q], [3,1])).
final_state(lift(_, _, [0,4])).

rule(M, C, S, T) :- bagof(M1-T1, r(M1, S, T1), [M-T|_]), c(M, C).
rule(M, C, S, T) :- S = lift(F, _, _), F < 5, !, bagof(M1-T1, r(M1, S, T1), [_|Rest]), member(M-T, Rest), c(M, C).
rule(stop, 0, S, S).

r(in(P), lift(F, Ps, Ws), lift(F, Ps, Vs)) :- at(P, Ps, F, Ws, in, Vs).
r(out(P), lift(F, Ps, Ws), lift(F, Ps, Vs)) :- at(P, Ps, in, Ws, F, Vs).
r(up, lift(F, Ps, Ws), lift(G, Ps, Ws)) :- F < 4, G is F + 1.
r(down, lift(F, Ps, Ws), lift(G, Ps, Ws)) :- F > 0, !, G is F - 1.

at(P, [P|_], Old, [Old|Ws], New, [New|Ws]).
at(P, [_|Ps], Old, [W|Ws], New, [W|Vs]) :- at(P, Ps, Old, Ws, New, Vs).

c(up, 3) :- !.
c(down, 1) :- !.
c(_, 2).

heuristic(lift(_, _, Ws), H) :-
    (   Ws == [0,4] -> H = 0
    ;   Ws = [in|_] -> H = 2
    ;   Ws = [_,in] -> H = 2
    ;   Ws = [A,_], integer(A), A > 0 -> H = 4
    ;   H = 1
    ).
