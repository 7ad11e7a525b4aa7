% Trails on 3 x 3: each leaves a trail, who cannot go on loses. The trails grow.
initial_state(trails([1/1], [3/3])).
initial_player(p).
opponent(p, q).
opponent(q, p).

move(p, D, trails([H|T], Q), trails([N,H|T], Q)) :- go(D, H, N), free(N, [H|T], Q).
move(q, D, trails(P, [H|T]), trails(P, [N,H|T])) :- go(D, H, N), free(N, P, [H|T]).

go(e, X/Y, X1/Y) :- X < 3, X1 is X + 1.
go(w, X/Y, X1/Y) :- X > 1, X1 is X - 1.
go(s, X/Y, X/Y1) :- Y < 3, Y1 is Y + 1.
go(n, X/Y, X/Y1) :- Y > 1, Y1 is Y - 1.

free(N, A, B) :- \+ memberchk(N, A), \+ memberchk(N, B).

terminal(J, S) :- \+ move(J, _, S, _).
utility(_, _, -1).
heuristic(p, trails(A, B), H) :- length(A, N), length(B, M), H is N - M.
heuristic(q, trails(A, B), H) :- length(A, N), length(B, M), H is M - N.
