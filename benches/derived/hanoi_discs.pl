% The Tower of Hanoi with four pegs: where each of nine discs is, the smallest first.

initial_state(D) :- length(D, 9), maplist(=(a), D).
final_state(D) :- length(D, 9), maplist(=(d), D).
peg(a). peg(b). peg(c). peg(d).
rule(move(N,P,Q), 1, S1, S2) :-
    nth1(N, S1, P), peg(Q), Q \== P,
    \+ ( nth1(M, S1, R), M < N, ( R == P ; R == Q ) ),
    replace(N, S1, Q, S2).
replace(1, [_|T], X, [X|T]).
replace(N, [H|T], X, [H|U]) :- N > 1, N1 is N - 1, replace(N1, T, X, U).
