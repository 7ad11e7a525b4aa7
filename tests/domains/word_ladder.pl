% Word ladder over a table of pairs.
next_to(cold, cord). next_to(cord, card). next_to(card, ward).
next_to(ward, warm). next_to(cord, word). next_to(word, ward).
next_to(word, worm). next_to(worm, warm). next_to(cold, bold).
next_to(bold, bald). next_to(bald, ball). next_to(ball, wall).
next_to(wall, walk). next_to(card, care). next_to(care, core).
next_to(core, cord). next_to(core, more). next_to(more, mere).

initial_state(cold).
final_state(warm).

pair(X, Y) :- next_to(X, Y).
pair(X, Y) :- next_to(Y, X).

rule(Y, 1, X, Y) :- pair(X, Y).

heuristic(W, H) :-
    atom_chars(W, Cs),
    atom_chars(warm, Gs),
    differ(Cs, Gs, H).

differ([], [], 0).
differ([X|Xs], [X|Ys], N) :- !, differ(Xs, Ys, N).
differ([_|Xs], [_|Ys], N) :- differ(Xs, Ys, M), N is M + 1.
