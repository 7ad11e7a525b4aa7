% A holiday in Romania: the shortest road to Bucharest.
%
% The example with which generations have met greedy and A* search; the map is
% that of S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach".
% A state is a city; a move is go(City) and costs the kilometres of the road.
%
% Instances and the length of their shortest roads:
%
%     arad     418 km        timisoara  536 km       oradea  429 km
%     neamt    406 km        mehadia    434 km
%
% Things to try: the greedy search takes the road over Fagaras, 450 km; A* finds
% the one over Pitesti.

initial_state(arad,      arad).
initial_state(timisoara, timisoara).
initial_state(oradea,    oradea).
initial_state(neamt,     neamt).
initial_state(mehadia,   mehadia).

final_state(bucharest).

rule(go(City2), Kilometres, City1, City2) :-
    road(City1, City2, Kilometres).

% Roads lead both ways.
road(City1, City2, Kilometres) :- map(City1, City2, Kilometres).
road(City1, City2, Kilometres) :- map(City2, City1, Kilometres).

map(arad, zerind, 75).
map(arad, sibiu, 140).
map(arad, timisoara, 118).
map(zerind, oradea, 71).
map(oradea, sibiu, 151).
map(timisoara, lugoj, 111).
map(lugoj, mehadia, 70).
map(mehadia, drobeta, 75).
map(drobeta, craiova, 120).
map(craiova, rimnicu_vilcea, 146).
map(craiova, pitesti, 138).
map(rimnicu_vilcea, sibiu, 80).
map(rimnicu_vilcea, pitesti, 97).
map(sibiu, fagaras, 99).
map(fagaras, bucharest, 211).
map(pitesti, bucharest, 101).
map(bucharest, giurgiu, 90).
map(bucharest, urziceni, 85).
map(urziceni, hirsova, 98).
map(hirsova, eforie, 86).
map(urziceni, vaslui, 142).
map(vaslui, iasi, 92).
map(iasi, neamt, 87).

% The distance to Bucharest as the crow flies: no road is shorter.
heuristic(City, Kilometres) :-
    straight_line(City, Kilometres).

straight_line(arad, 366).
straight_line(bucharest, 0).
straight_line(craiova, 160).
straight_line(drobeta, 242).
straight_line(eforie, 161).
straight_line(fagaras, 176).
straight_line(giurgiu, 77).
straight_line(hirsova, 151).
straight_line(iasi, 226).
straight_line(lugoj, 244).
straight_line(mehadia, 241).
straight_line(neamt, 234).
straight_line(oradea, 380).
straight_line(pitesti, 100).
straight_line(rimnicu_vilcea, 193).
straight_line(sibiu, 253).
straight_line(timisoara, 329).
straight_line(urziceni, 80).
straight_line(vaslui, 199).
straight_line(zerind, 374).

print_state(City) :-
    straight_line(City, Kilometres),
    write(City), write(', '),
    write(Kilometres), write(' km from Bucharest as the crow flies'), nl.
