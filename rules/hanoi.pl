% The Towers of Hanoi.
%
% Discs of different sizes lie on three pegs, never a larger one on a smaller
% one.  Move one disc at a time until all are on the last peg.  E. Lucas, 1883;
% n discs take 2^n - 1 moves, and the monks with their 64 are still at it.
%
% A state is a list of pegs, and a peg is the list of its discs, the topmost
% first; a disc is its size.
%
% Instances and their shortest solutions:
%
%     three  7 moves     four  15      five  31     eight  255, from one tower
%     mixed  30 moves, five discs from the middle of things
%     four_pegs  33 moves: eight discs and a fourth peg (H. Dudeney, "The
%                Reve's Puzzle", 1907)
%
% Things to try: forbid moves between the outer pegs.

initial_state(three, [[1,2,3], [], []]).
initial_state(four,  [[1,2,3,4], [], []]).
initial_state(five,  [[1,2,3,4,5], [], []]).
initial_state(eight, [[1,2,3,4,5,6,7,8], [], []]).
initial_state(mixed, [[2,5], [1,3], [4]]).
initial_state(four_pegs, [[1,2,3,4,5,6,7,8], [], [], []]).

% All pegs are empty but the last one.
final_state([[], [], [_|_]]).
final_state([[], [], [], [_|_]]).

% move(I, J): the topmost disc of peg I goes to peg J.
rule(move(I, J), 1, S1, S2) :-
    take(I, S1, Disc, Pegs),
    put(J, Pegs, Disc, S2),
    I =\= J.

take(I, S1, Disc, S2) :-
    select_peg(I, S1, [Disc|Peg], Peg, S2).

put(J, S1, Disc, S2) :-
    select_peg(J, S1, Peg, [Disc|Peg], S2),
    fits(Disc, Peg).

fits(_, []).
fits(Disc, [Top|_]) :- Disc < Top.

% select_peg(I, S1, Peg1, Peg2, S2): S2 is S1 with Peg2 in place of its Ith peg Peg1.
select_peg(1, [Peg1|Pegs], Peg1, Peg2, [Peg2|Pegs]).
select_peg(I, [Peg|Pegs1], Peg1, Peg2, [Peg|Pegs2]) :-
    select_peg(I0, Pegs1, Peg1, Peg2, Pegs2),
    I is I0 + 1.

% Every disc that is not on the last peg must move.
heuristic(State, H) :-
    append(Others, [_], State), !,
    findall(Disc, ( member(Peg, Others), member(Disc, Peg) ), Discs),
    length(Discs, H).

print_state(State) :-
    forall(nth1(I, State, Peg), print_peg(I, Peg)).

print_peg(I, Peg) :-
    write(I), write(' |'),
    reverse(Peg, Discs),
    forall(member(Disc, Discs), ( write('-'), write(Disc) )),
    nl.
