% Kayles (H. Dudeney, S. Loyd, about 1900).
%
% Skittles stand in a row.  Two players in turn bowl so well that they knock down any
% one skittle, or any two that stand side by side.  Who knocks down the last one wins.
%
% The game is impartial: both players have the same moves, and who can't move has
% lost.  A gap cuts a row in two that have nothing to do with one another, so a state
% is the sorted list of the lengths of the rows that still stand.
%
% The Grundy values of a single row of n = 0, 1, 2, ... skittles are
%
%     0 1 2 3 1 4 3 2 1 4 2 6   4 1 2 7 1 4 3 2 1 4 6 7   4 ...
%
% and have the period 12 from n = 71 on (R. Guy, C. Smith, 1956).
%
% Things to try: the first player wins from every row; how?  Forbid to knock down a
% single skittle, and let the game end when only rows of one are left: that is Dawson's
% Kayles, with the period 34.

skittles(12).           % in the row at the beginning

initial_state([N]) :- skittles(N).

initial_player(a).

opponent(a, b).
opponent(b, a).

% split(N, L, R): bowl into a row of N so that L and R are left of it, on either side.
move(split(N, L, R), Rows1, Rows2) :-
    row(N, Rows1, Rows),
    Most is min(2, N),
    between(1, Most, Knocked),
    Left is N - Knocked,
    Half is Left // 2,
    between(0, Half, L),
    R is Left - L,
    exclude(==(0), [L,R|Rows], Standing),
    msort(Standing, Rows2).

% row(N, Rows1, Rows2): Rows2 is Rows1 without a row of N, one of each length.
row(N, Rows1, Rows2) :-
    append(Shorter, [N|Longer], Rows1),
    \+ member(N, Shorter),
    append(Shorter, Longer, Rows2).

terminal([]).

print_state(Rows) :-
    forall(member(N, Rows), print_row(N)), nl.

print_row(N) :-
    forall(between(1, N, _), write('!')),
    write('  ').
