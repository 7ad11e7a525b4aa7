% Graph search with facts that are asserted on the way.

:- dynamic visited/1, dist/2.
:- dynamic(queue/1).

edge(a, b, 4). edge(a, c, 1). edge(c, b, 2). edge(b, d, 5). edge(c, d, 8). edge(d, e, 3).
edge(f, g, 1).

neighbour(X, Y, C) :- edge(X, Y, C) ; edge(Y, X, C).

% depth first with a list of what was seen
dfs(X, X, _, [X]).
dfs(X, Y, Seen, [X|P]) :-
    neighbour(X, Z, _), \+ member(Z, Seen), dfs(Z, Y, [Z|Seen], P).

% breadth first
bfs([[Y|P]|_], Y, R) :- reverse([Y|P], R).
bfs([[X|P]|Q], Y, R) :-
    findall([Z,X|P], (neighbour(X, Z, _), \+ memberchk(Z, [X|P])), New),
    append(Q, New, Q1),
    bfs(Q1, Y, R).

% Dijkstra with asserted distances
dijkstra(S) :- retractall(dist(_, _)), retractall(visited(_)), assertz(dist(S, 0)), step.
step :-
    findall(D-X, (dist(X, D), \+ visited(X)), L),
    L \== [], !,
    msort(L, [D-X|_]),
    assertz(visited(X)),
    forall(neighbour(X, Y, C), relax(Y, D, C)),
    step.
step.
relax(Y, D, C) :-
    D1 is D+C,
    (   dist(Y, D0) -> ( D1 < D0 -> retract(dist(Y, D0)), assertz(dist(Y, D1)) ; true )
    ;   assertz(dist(Y, D1))
    ).

% all that can be reached
reach(X) :- retractall(visited(_)), explore(X).
explore(X) :- visited(X), !.
explore(X) :- assertz(visited(X)), forall(neighbour(X, Y, _), explore(Y)).

cost([_], 0).
cost([X,Y|P], C) :- neighbour(X, Y, C1), cost([Y|P], C2), C is C1+C2.

best(X, Y, P, C) :- aggregate_all(min(C0, P0), (dfs(X, Y, [X], P0), cost(P0, C0)), min(C, P)).

%? dfs(a, e, [a], P).
%= P = [a,b,d,e]
%= P = [a,b,c,d,e]
%= P = [a,c,b,d,e]
%= P = [a,c,d,e]
%? once(bfs([[a]], e, P)).
%= P = [a,b,d,e]
%? dijkstra(a), findall(X-D, dist(X, D), L0), msort(L0, L).
%= X = _, D = _, L0 = [a-0,c-1,b-3,d-8,e-11], L = [a-0,b-3,c-1,d-8,e-11]
%? reach(f), findall(X, visited(X), L).
%= X = _, L = [f,g]
%? best(a, e, P, C).
%= P = [a,c,b,d,e], C = 11
%? dfs(a, g, [a], _).
%= false
