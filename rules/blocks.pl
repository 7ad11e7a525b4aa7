% The blocks world, as the planner STRIPS describes it (R. Fikes, N. Nilsson, 1971).
%
% Blocks lie on a table or on one another; a hand takes one block at a time that has
% none on it.  They shall become one tower, in the order of the alphabet from above.
%
% A state is an ordered list of facts: on(A,B), on_table(A), clear(A), holding(A), hand_empty.
% An action has conditions, facts that it deletes and facts that it adds.
%
% Instances, with the moves of a shortest plan and the states:
%
%     sussman    6      22     the anomaly: one subgoal gets into the way of the other
%     four       8     125     a tower upside down
%     six       12   7,057     two towers upside down
%     eight     14 695,417     all blocks on the table
%
% Things to try: a second hand; let `ucs` count what a heavy block costs.

initial_state(sussman, S) :- start([on(c,a),on_table(a),on_table(b)], S).
initial_state(four, S)    :- start([on(d,c),on(c,b),on(b,a),on_table(a)], S).
initial_state(six, S)     :- start([on(c,b),on(b,a),on_table(a),on(f,e),on(e,d),on_table(d)], S).
initial_state(eight, S)   :-
    findall(on_table(A), member(A, [a,b,c,d,e,f,g,h]), Facts),
    start(Facts, S).

% start(Facts, S): S has what follows from where the blocks are, too.
start(Facts, S) :-
    findall(clear(A), ( place(A, Facts), \+ member(on(_,A), Facts) ), Clear),
    append([Facts,Clear,[hand_empty]], All),
    sort(All, S).

place(A, Facts) :- member(on(A,_), Facts).
place(A, Facts) :- member(on_table(A), Facts).

% All blocks are in one tower, in their order.
final_state(S) :-
    memberchk(hand_empty, S),
    findall(A, member(on_table(A), S), [_]),
    \+ ( member(on(A,B), S), \+ belongs_on(A, B) ).

belongs_on(a, b).
belongs_on(b, c).
belongs_on(c, d).
belongs_on(d, e).
belongs_on(e, f).
belongs_on(f, g).
belongs_on(g, h).

rule(Action, 1, S1, S3) :-
    action(Action, Conditions, Deleted, Added),
    holds(Conditions, S1),
    subtract(S1, Deleted, S2),
    append(Added, S2, S),
    sort(S, S3).

% holds(Conditions, S): each of the conditions is in S.
holds([], _).
holds([Fact|Facts], S) :-
    member(Fact, S),
    holds(Facts, S).

% action(Name, Conditions, Deleted, Added).
action(pick_up(A),
       [hand_empty, clear(A), on_table(A)],
       [hand_empty, clear(A), on_table(A)],
       [holding(A)]).
action(put_down(A),
       [holding(A)],
       [holding(A)],
       [hand_empty, clear(A), on_table(A)]).
action(unstack(A,B),
       [hand_empty, clear(A), on(A,B)],
       [hand_empty, clear(A), on(A,B)],
       [holding(A), clear(B)]).
action(stack(A,B),
       [holding(A), clear(B)],
       [holding(A), clear(B)],
       [hand_empty, clear(A), on(A,B)]).

% A line for each tower, from the table up.
print_state(S) :-
    forall(member(on_table(A), S), ( print_tower(A, S), nl )),
    forall(member(holding(A), S), ( write('in the hand: '), write(A), nl )).

print_tower(A, S) :-
    write(A),
    forall(member(on(B,A), S), ( write(' '), print_tower(B, S) )).
