% Klotski, or Huarong Dao: ten blocks slide in a box of five rows and four columns.
%
%     # Q Q #
%     # Q Q #       Q  the large square block
%     # = = #       =  a block that lies
%     # o o #       #  blocks that stand
%     o . . o       o  small blocks
%
% The large block shall come to the gap in the middle of the lower edge.  A move takes a block
% one square on.
%
% A state is the ordered list of the blocks, block(Kind, Row, Column), with the place of their
% upper left squares; blocks of one kind are alike.  A move is slide(Block, Way).
%
% A shortest solution has 116 moves; 25,955 states can be reached.
%
% Things to try: count a slide of any length, even round a corner, as one move: 81 are enough
% then (M. Gardner, 1964).

initial_state(S) :-
    sort([block(large,1,2), block(standing,1,1), block(standing,1,4),
          block(standing,3,1), block(lying,3,2), block(standing,3,4),
          block(small,4,2), block(small,4,3), block(small,5,1), block(small,5,4)], S).

final_state(S) :-
    member(block(large,4,2), S).

% size(Kind, Rows, Columns).
size(large, 2, 2).
size(lying, 1, 2).
size(standing, 2, 1).
size(small, 1, 1).

rule(slide(block(Kind,R1,C1), Way), 1, S1, S2) :-
    select(block(Kind,R1,C1), S1, Others),
    step(Way, R1, C1, R2, C2),
    Block = block(Kind,R2,C2),
    in_box(Block),
    \+ ( member(Other, Others), overlap(Block, Other) ),
    sort([Block|Others], S2).

step(up,    R1, C, R2, C) :- R2 is R1 - 1.
step(down,  R1, C, R2, C) :- R2 is R1 + 1.
step(left,  R, C1, R, C2) :- C2 is C1 - 1.
step(right, R, C1, R, C2) :- C2 is C1 + 1.

in_box(block(Kind,R,C)) :-
    size(Kind, H, W),
    R >= 1, R + H =< 6,
    C >= 1, C + W =< 5.

% overlap(Block1, Block2): they have a square in common.
overlap(block(K1,R1,C1), block(K2,R2,C2)) :-
    size(K1, H1, W1),
    size(K2, H2, W2),
    R1 < R2 + H2, R2 < R1 + H1,
    C1 < C2 + W2, C2 < C1 + W1.

% The large block has so far to go.
heuristic(S, H) :-
    memberchk(block(large,R,C), S),
    H is abs(R - 4) + abs(C - 2).

print_state(S) :-
    forall(between(1, 5, R), print_row(R, S)).

print_row(R, S) :-
    forall(between(1, 4, C), ( write(' '), print_square(R, C, S) )), nl.

print_square(R, C, S) :-
    member(block(Kind,R1,C1), S),
    overlap(block(Kind,R1,C1), block(small,R,C)), !,
    sign(Kind, Sign),
    write(Sign).
print_square(_, _, _) :- write('.').

sign(large, 'Q').
sign(lying, =).
sign(standing, #).
sign(small, o).

% The same in pictures: signs tell blocks of one colour apart.
draw_state(S, Rows) :-
    findall(Row, ( between(1, 5, R), draw_row(R, S, Row) ), Rows).

draw_row(R, S, Row) :-
    findall(Square, ( between(1, 4, C), draw_square(R, C, S, Square) ), Row).

draw_square(R, C, S, cell(Sign, [fill(Colour)])) :-
    member(block(Kind,R1,C1), S),
    overlap(block(Kind,R1,C1), block(small,R,C)), !,
    Down is R - R1,
    Right is C - C1,
    part(Kind, Down, Right, Sign, Colour).
draw_square(_, _, _, '').

part(large, _, _, '', red).
part(lying, _, 0, <, blue).
part(lying, _, 1, >, blue).
part(standing, 0, _, ^, sky).
part(standing, 1, _, v, sky).
part(small, _, _, '', yellow).
