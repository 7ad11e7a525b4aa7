% A game with payoffs written in a table, and passes; depth three.
initial_state(node(root, [])).
initial_player(max).
opponent(max, min).
opponent(min, max).

child(root, l). child(root, m). child(root, r).
child(l, l1). child(l, l2). child(m, m1). child(m, m2). child(m, m3). child(r, r1).
child(l1, 3). child(l1, 12). child(l2, 8). child(m1, 2). child(m2, 4). child(m3, 6).
child(r1, 14). child(r1, 5). child(r1, 2).

move(_, to(B), node(A, Way), node(B, [A|Way])) :- child(A, B).
move(_, pass, node(r, [root]), node(r1, [r,pass])).

terminal(_, node(V, _)) :- number(V).
utility(max, node(V, _), V).
utility(min, node(V, _), U) :- U is -V.
heuristic(_, node(V, Way), H) :- ( number(V) -> H = V ; length(Way, N), H is N * 0.5 ).
