% One of the moves of a puzzle swaps the wrong thing.
% query: rule(right, _, [vide, a, b], [a, vide, b])
% culprit: 6

rule(right, 1, S1, S2) :-
    append(Front, [void, X|Rest], S1),
    append(Front, [X, vide|Rest], S2).
