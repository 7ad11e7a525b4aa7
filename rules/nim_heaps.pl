% Nim with several heaps (C. Bouton, 1901).
%
% Two players in turn take matches, as many as they like, but from one heap only.
% In the normal game who takes the last match wins; in the misère game, the one
% of "Last Year at Marienbad", who takes it loses.
%
% A state is the list of the heaps, and a heap is the number of its matches.
%
% Things to try: Bouton's theorem says that the player to move has lost the normal
% game when the exclusive or of the heaps is 0; in which states is the misère game
% different?  The order of the heaps doesn't matter: sort them in move/4 (msort/2)
% and count the states again.

heaps([1,3,5,7]).       % at the beginning
last_match(loses).      % the misère game; wins: the normal game

initial_state(Heaps) :- heaps(Heaps).

initial_player(a).

opponent(a, b).
opponent(b, a).

% take(I, K): take K matches from the Ith heap.
move(_, take(I, K), Heaps1, Heaps2) :-
    nth1(I, Heaps1, N1, Others),
    between(1, N1, K),
    N2 is N1 - K,
    nth1(I, Heaps2, N2, Others).

terminal(_, Heaps) :-
    sum_list(Heaps, 0).

% The last match was taken by the opponent of the player to move.
utility(_, _,  1) :- last_match(loses).
utility(_, _, -1) :- last_match(wins).

% Nothing is known before the end.
heuristic(J, Heaps, H) :- terminal(J, Heaps), !, utility(J, Heaps, H).
heuristic(_, _, 0).

print_state(Heaps) :-
    forall(nth1(I, Heaps, N), print_heap(I, N)).

print_heap(I, N) :-
    write(I), write(' :'),
    forall(between(1, N, _), write(' |')), nl.
