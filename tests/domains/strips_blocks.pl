% Blocks world as STRIPS has it: a state is the ordered set of the facts that hold.

block(a). block(b). block(c).

initial_state([handempty, clear(a), clear(c), ontable(b), ontable(c), on(a,b)]).

final_state(S) :- ord_subset([on(a,b), on(b,c)], S).

action(pickup(X), [handempty, clear(X), ontable(X)], [holding(X)]) :- block(X).
action(putdown(X), [holding(X)], [handempty, clear(X), ontable(X)]) :- block(X).
action(unstack(X,Y), [handempty, clear(X), on(X,Y)], [clear(Y), holding(X)]) :-
    block(X), block(Y), X \== Y.
action(stack(X,Y), [clear(Y), holding(X)], [handempty, clear(X), on(X,Y)]) :-
    block(X), block(Y), X \== Y.

rule(Name, 1, S, T) :-
    action(Name, Before, After),
    subset(Before, S),
    ord_subtract(S, Before, Rest),
    ord_union(Rest, After, T).

heuristic(S, H) :- ord_subtract([on(a,b), on(b,c)], S, Missing), length(Missing, H).
