% Ships wait in a queue and lie at the quay, two at most; one that leaves goes to the end of the
% queue, and its cargo is listed as it comes.
initial_state(port([ship(oil,2), ship(ore,1), ship(tea,3)], [], [])).
final_state(port(_, _, [oil,ore,tea|_])).

rule(dock, 1, port([S|Queue], Quay, Cargo), port(Queue, New, Cargo)) :-
    length(Quay, N), N < 2,
    append(Quay, [S], New).
rule(unload(C), 1, port(Queue, Quay, Cargo), port(Queue, Rest, New)) :-
    select(ship(C,1), Quay, Rest),
    length(Cargo, N), N < 3,
    append(Cargo, [C], New).
rule(work(C), 1, port(Queue, Quay, Cargo), port(Queue, New, Cargo)) :-
    select(ship(C,N), Quay, ship(C,M), New),
    N > 1,
    M is N - 1.
rule(leave(C), 1, port(Queue, [ship(C,N)|Quay], Cargo), port(New, Quay, Cargo)) :-
    append(Queue, [ship(C,N)], New).

heuristic(port(_, _, Cargo), H) :- length(Cargo, N), H is 3 - N.
