% A fact that nobody reads.
%! W0524 6
:- dynamic visited/1.
initial_state(0). final_state(5).
rule(up, 1, N, M) :- N < 5, M is N + 1,
    assertz(visited(M)).
