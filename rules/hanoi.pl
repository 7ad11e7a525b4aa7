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

% The same in pictures: a disc is as wide as its number says.
draw_state(State, Rows) :-
    widest(State, N),
    findall(Row, ( between(0, N, Level), draw_row(Level, N, State, Row) ), Rows).

widest(State, N) :-
    findall(Disc, ( member(Peg, State), member(Disc, Peg) ), Discs),
    max_list(Discs, N).

% A peg has as many squares as its widest disc, and one on its right.
draw_row(Level, N, State, Row) :-
    From is 1 - N,
    findall(Square,
            ( member(Peg, State), disc_at(Level, N, Peg, Disc), between(From, N, X),
              draw_square(X, N, Disc, Square) ),
            Squares),
    append(Row, [_], Squares).

% disc_at(Level, N, Peg, Disc): the levels count from above; 0 is no disc.
disc_at(Level, N, Peg, Disc) :-
    length(Peg, Height),
    I is Level - (N - Height),
    (   nth1(I, Peg, Disc)
    ->  true
    ;   Disc = 0
    ).

draw_square(N, N, _, '') :- !.
draw_square(X, _, Disc, cell(Text, [fill(Colour)])) :-
    abs(X) < Disc, !,
    ( X =:= 0 -> Text = Disc ; Text = '' ),
    I is (Disc - 1) mod 8,
    nth0(I, [blue,orange,green,purple,sky,yellow,red,brown], Colour).
draw_square(0, _, _, cell('', [fill(grey)])) :- !.
draw_square(_, _, _, '').

% A move is a click on a peg and one on another.
click(move(I, J), State, R-C) :-
    widest(State, N),
    between(0, N, Level),
    R is Level + 1,
    member(Peg, [I,J]),
    From is (Peg - 1) * 2 * N + 1,
    To is From + 2 * N - 2,
    between(From, To, C).
