% The same rules under the names that zug's engines know.
initial_state(S) :- situation_initiale(S).
initial_player(J) :- joueur_initial(J).
opponent(J, A) :- adversaire(J, A).
move(J, M, S, S) :- jouer(J, S, M).
terminal(J, S) :- situation_terminale(J, S).
heuristic(J, S, H) :- heuristique(J, S, H).
