% A game with words: each adds a letter so that the word is still the beginning of
% one in the list; who completes a word loses. The state is an atom.
initial_state('').
initial_player(1).
opponent(1, 2).
opponent(2, 1).

word(zug). word(zoo). word(zone). word(zebra). word(ape). word(apple). word(april).
word(bar). word(bark). word(bison). word(cat). word(cattle). word(crow). word(cobra).

move(_, Letter, W1, W2) :-
    atom_length(W1, N), M is N + 1,
    findall(P, ( word(W), atom_concat(W1, Rest, W), Rest \== '', sub_atom(W, 0, M, _, P) ), Ps),
    sort(Ps, Qs),
    member(W2, Qs),
    sub_atom(W2, N, 1, 0, Letter).

terminal(_, W) :- word(W).
utility(_, _, 1).
heuristic(_, W, H) :- atom_codes(W, Cs), length(Cs, L), H is (-1) ** L * 0.25.
