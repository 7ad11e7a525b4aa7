% The water jugs.
%
% Some jugs without marks, a tap and a sink: measure out a given amount.  Known
% since the thirteenth century in the form with three jugs and no tap (Abbot
% Albert of Stade); M. C. Escher's and Hollywood's form is 5 and 3 for 4.
%
% A state is jugs(Target, Contents), where Contents lists a jug(Size, Amount) for
% each jug.  The Target travels with the state so that each instance has its own.
%
% Instances and their shortest solutions:
%
%     die_hard   5 and 3, target 4:          6 steps
%     nine_four  9 and 4, target 6:          8 steps
%     three_jugs 8, 5 and 3, target 1:       4 steps (with tap and sink)
%     hopeless   6 and 4, target 3:          none, all amounts are even
%
% Things to try: let a step cost the water it takes from the tap.

initial_state(die_hard,   jugs(4, [jug(5,0), jug(3,0)])).
initial_state(nine_four,  jugs(6, [jug(9,0), jug(4,0)])).
initial_state(three_jugs, jugs(1, [jug(8,0), jug(5,0), jug(3,0)])).
initial_state(hopeless,   jugs(3, [jug(6,0), jug(4,0)])).

final_state(jugs(Target, Jugs)) :-
    member(jug(_, Target), Jugs).

% Moves: fill a jug, empty it, or pour one into another until the first is empty
% or the second full.  Jugs are named by their size.

rule(fill(Size), 1, jugs(T, Jugs1), jugs(T, Jugs2)) :-
    select(jug(Size, Amount), Jugs1, jug(Size, Size), Jugs2),
    Amount < Size.
rule(empty(Size), 1, jugs(T, Jugs1), jugs(T, Jugs2)) :-
    select(jug(Size, Amount), Jugs1, jug(Size, 0), Jugs2),
    Amount > 0.
rule(pour(From, To), 1, jugs(T, Jugs1), jugs(T, Jugs3)) :-
    select(jug(From, A1), Jugs1, jug(From, A2), Jugs2),
    A1 > 0,
    select(jug(To, B1), Jugs2, jug(To, B2), Jugs3),
    From \== To,
    B1 < To,
    Poured is min(A1, To - B1),
    A2 is A1 - Poured,
    B2 is B1 + Poured.

print_state(jugs(Target, Jugs)) :-
    forall(member(Jug, Jugs), print_jug(Jug)),
    write('target '), write(Target), nl.

print_jug(jug(Size, Amount)) :-
    Air is Size - Amount,
    write('|'),
    forall(between(1, Amount, _), write('~')),
    forall(between(1, Air, _), write(' ')),
    write('| '),
    write(Amount/Size), nl.
