% Route finding with asserted tables: Dijkstra and A* over a small map of towns,
% greedy search for comparison, a travelling salesman by branch and bound, and a
% table of all distances.  Everything that is found out is kept by assert/1.

:- dynamic open_node/3, closed_node/3, best_tour/2, distance/3.
:- discontiguous road/3.

% town(Name, X, Y) in kilometres
town(aken, 0, 0).
town(born, 40, 10).
town(cleve, 70, 45).
town(dorf, 20, 60).
town(essel, 95, 80).
town(furt, 55, 100).
town(gera, 120, 30).
town(hamm, 140, 95).

road(aken, born, 45).
road(aken, dorf, 70).
road(born, cleve, 50).
road(born, gera, 95).
road(cleve, dorf, 55).
road(cleve, essel, 45).
road(cleve, gera, 60).
road(dorf, furt, 60).
road(essel, furt, 48).
road(essel, hamm, 50).
road(gera, hamm, 72).
road(furt, hamm, 90).

link(A, B, D) :- road(A, B, D).
link(A, B, D) :- road(B, A, D).

as_the_crow_flies(A, B, D) :-
    town(A, XA, YA),
    town(B, XB, YB),
    D is sqrt((XA-XB)**2 + (YA-YB)**2).

% ------------------------------------------------------------------ A*
% open_node(F, Town, node(G, Path)), closed_node(Town, G, Path)

route(Method, From, To, Path, Cost, Expanded) :-
    retractall(open_node(_, _, _)),
    retractall(closed_node(_, _, _)),
    estimate(Method, 0, From, To, F),
    assertz(open_node(F, From, node(0, [From]))),
    run(Method, To, 0, Expanded),
    closed_node(To, Cost, Reversed),
    reverse(Reversed, Path).

estimate(dijkstra, G, _, _, G).
estimate(astar, G, Town, To, F) :- as_the_crow_flies(Town, To, H), F is G + H.
estimate(greedy, _, Town, To, H) :- as_the_crow_flies(Town, To, H).

run(Method, To, N0, N) :-
    best_open(F, Town, Node),
    retract(open_node(F, Town, Node)), !,
    Node = node(G, Path),
    assertz(closed_node(Town, G, Path)),
    (   Town == To
    ->  N = N0
    ;   N1 is N0 + 1,
        forall(( link(Town, Next, D), \+ closed_node(Next, _, _) ),
               relax(Method, To, Next, D, G, Path)),
        run(Method, To, N1, N)
    ).

best_open(F, Town, Node) :-
    findall(f(F1, T1, N1), open_node(F1, T1, N1), All),
    All \== [],
    msort(All, [f(F, Town, Node)|_]).

relax(Method, To, Next, D, G, Path) :-
    G1 is G + D,
    (   open_node(_, Next, node(G0, _)),
        G0 =< G1
    ->  true
    ;   retractall(open_node(_, Next, _)),
        estimate(Method, G1, Next, To, F),
        assertz(open_node(F, Next, node(G1, [Next|Path])))
    ).

% ------------------------------------------------------ all pairs (Floyd)

all_distances :-
    retractall(distance(_, _, _)),
    forall(town(A, _, _), assertz(distance(A, A, 0))),
    forall(link(A, B, D), assertz(distance(A, B, D))),
    forall(town(K, _, _), forall(town(A, _, _), forall(town(B, _, _), improve(A, B, K)))).

improve(A, B, K) :-
    (   distance(A, K, D1),
        distance(K, B, D2)
    ->  D is D1 + D2,
        (   distance(A, B, D0)
        ->  (   D < D0
            ->  retract(distance(A, B, D0)),
                assertz(distance(A, B, D))
            ;   true
            )
        ;   assertz(distance(A, B, D))
        )
    ;   true
    ).

% ------------------------------------------------- a round trip, branch and bound

tour(Start, Tour, Cost) :-
    all_distances,
    retractall(best_tour(_, _)),
    assertz(best_tour(1000000, none)),
    findall(T, ( town(T, _, _), T \== Start ), Others),
    ( extend(Start, Others, Start, [Start], 0), fail ; true ),
    best_tour(Cost, Reversed),
    reverse(Reversed, Tour).

extend(Town, [], Start, Path, Cost) :-
    distance(Town, Start, D),
    Total is Cost + D,
    best_tour(Best, _),
    Total < Best,
    retract(best_tour(_, _)),
    assertz(best_tour(Total, [Start|Path])).
extend(Town, Left, Start, Path, Cost) :-
    select(Next, Left, Rest),
    distance(Town, Next, D),
    Cost1 is Cost + D,
    best_tour(Best, _),
    Cost1 < Best,
    extend(Next, Rest, Start, [Next|Path], Cost1).

% ------------------------------------------------------------------ the report

print_path([T]) :- !, write(T).
print_path([T|Ts]) :- write(T), write(' -> '), print_path(Ts).

report(Method, From, To) :-
    route(Method, From, To, Path, Cost, Expanded), !,
    format("~w~t~10|~t~d~5+ km ~t~d~4+ towns  ", [Method, Cost, Expanded]),
    print_path(Path), nl.

print_table :-
    findall(T, town(T, _, _), Towns),
    pad(8, ''),
    forall(member(T, Towns), pad(7, T)), nl,
    forall(member(A, Towns),
           ( pad(8, A),
             forall(member(B, Towns), ( distance(A, B, D), pad(7, D) )),
             nl )).

% pad(Width, X): X at the right end of Width columns.
pad(Width, X) :-
    atom_length(X, N),
    Blanks is Width - N,
    tab(Blanks),
    write(X).

main :-
    report(dijkstra, aken, hamm),
    report(astar, aken, hamm),
    report(greedy, aken, hamm),
    report(astar, dorf, gera),
    all_distances,
    print_table,
    tour(aken, Tour, Length),
    format("round trip of ~d km~n", [Length]),
    length(Tour, N),
    format("~d stops~n", [N]).

%? main.
%> dijkstra    190 km 7 towns  aken -> born -> cleve -> essel -> hamm
%> astar       190 km 4 towns  aken -> born -> cleve -> essel -> hamm
%> greedy      220 km 3 towns  aken -> dorf -> furt -> hamm
%> astar       115 km 2 towns  dorf -> cleve -> gera
%>            aken   born  cleve   dorf  essel   furt   gera   hamm
%>     aken      0     45     95     70    140    130    140    190
%>     born     45      0     50    105     95    143     95    145
%>    cleve     95     50      0     55     45     93     60     95
%>     dorf     70    105     55      0    100     60    115    150
%>    essel    140     95     45    100      0     48    105     50
%>     furt    130    143     93     60     48      0    153     90
%>     gera    140     95     60    115    105    153      0     72
%>     hamm    190    145     95    150     50     90     72      0
%> round trip of 455 km
%> 9 stops
%= true
%? route(astar, aken, furt, P, C, _).
%= P = [aken,dorf,furt], C = 130
%? route(dijkstra, aken, nowhere, _, _, _).
%= false
%? all_distances, distance(aken, hamm, D).
%= D = 190
%? catch(as_the_crow_flies(aken, X, D), error(_, _), true), X == born.
%= X = born, D = 41.23105625617661
