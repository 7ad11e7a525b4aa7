% Rules that are no functions of the state.
%! W0514 8
%! W0514 9
%! W0515 11
%! W0514 13
:- dynamic seen/1.
initial_state(0). final_state(5).
rule(up, 1, N, M) :- random_between(1, 3, K), N < 5, M is N + K.
rule(up, 1, N, M) :- N < 5, M is N + 1 + random(2).
rule(new, 1, N, M) :- N < 5, M is N + 1, \+ seen(M),
    assertz(seen(M)).
heuristic(N, H) :- late(N, H).
late(N, H) :- get_time(T), T > 0, H is max(0, (5 - N) // 3).
