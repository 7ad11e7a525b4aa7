% Toads (t) go right, frogs (f) go left. Seven stones.
initial_state([t,t,t,-,f,f,f]).
final_state([f,f,f,-,t,t,t]).

rule(step, 1, A, B) :- hop([t,-], [-,t], A, B).
rule(step, 1, A, B) :- hop([-,f], [f,-], A, B).
rule(jump, 1, A, B) :- hop([t,f,-], [-,f,t], A, B).
rule(jump, 1, A, B) :- hop([-,t,f], [f,t,-], A, B).

hop(Old, New, A, B) :-
    append(Front, Rest, A),
    append(Old, Back, Rest),
    append(New, Back, Rest2),
    append(Front, Rest2, B).
