% A lift between three floors, and a family.

initial_state(ground, 0).
initial_state(top, 2).
initial_state(cellar, -1).

final_state(2).

rule(up, 1, Floor, Above) :-
    Floor >= 0, Floor < 2,
    Above is Floor + 1.
rule(down, 1, Floor, Below) :-
    Floor > 0,
    Below is Floor - 1.

heuristic(Floor, H) :-
    H is max(0, 2 - Floor).

print_state(Floor) :-
    format("floor ~w~n", [Floor]).

parent(tom, bob).
parent(tom, liz).
parent(bob, ann).

loop :- loop.

broken(X) :- Y is X + one, write(Y).
start :- broken(1), nl.
