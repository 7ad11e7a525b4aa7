% Hanoi by disks: the list says on which peg each disk is, smallest first.
% A disk may move if no smaller one is on its peg, nor on the goal peg.

initial_state([a,a,a,a,a]).
final_state([c,c,c,c,c]).

peg(a). peg(b). peg(c).

rule(disk(N,From,To), 1, S1, S2) :-
    append(Smaller, [From|Larger], S1),
    \+ member(From, Smaller),
    peg(To), To \== From,
    \+ memberchk(To, Smaller),
    append(Smaller, [To|Larger], S2),
    length(Smaller, N0), N is N0 + 1.

heuristic(S, H) :-
    exclude(==(c), S, Away),
    length(Away, N),
    H is 2 ** N - 1 - (2 ** N - 1 - N).
