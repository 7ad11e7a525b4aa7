% Moves that another predicate collects in a list are what engines ask.
%! W0507 7
%! W0507 8
%! W0507 15

% The state is (A, B): what is in the jugs.
initial((0,0)).
step((_,B), fill_a, (5,B)).
step((A,_), fill_b, (A,3)).
step((A,B), pour, (C,D)) :- T is min(A, 3 - B), C is A - T, D is B + T.

successors(State, Successors) :-
    findall(action(Name, Next), step(State, Name, Next), Successors).

goal((4,_)).
