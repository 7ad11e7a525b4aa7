% Negamax without pruning, as a textbook writes it.
negamax(J, Etat, Pmax, Pmax, [rien,Val]) :- !,
    heuristique(J, Etat, Val).
negamax(J, Etat, _, _, [rien,Val]) :-
    situation_terminale(J, Etat), !,
    heuristique(J, Etat, Val).
negamax(J, Etat, P, Pmax, [Coup,Val]) :-
    successeurs(J, Etat, Succ),
    adversaire(J, A),
    P1 is P+1,
    evaluer(Succ, A, P1, Pmax, Couples),
    meilleur(Couples, [Coup,V]),
    Val is -V.

successeurs(J, Etat, Succ) :-
    findall([Coup,Etat], jouer(J, Etat, Coup), Succ).

evaluer([], _, _, _, []).
evaluer([[Coup,E]|Es], A, P, Pmax, [[Coup,V]|Cs]) :-
    negamax(A, E, P, Pmax, [_,V]),
    evaluer(Es, A, P, Pmax, Cs).

% smallest value for the opponent; the first of equals wins
meilleur([C], C) :- !.
meilleur([[C1,V1]|Cs], M) :-
    meilleur(Cs, [C2,V2]),
    ( V1 =< V2 -> M = [C1,V1] ; M = [C2,V2] ).

jeu(Pmax, R) :-
    situation_initiale(S), joueur_initial(J), negamax(J, S, 0, Pmax, R).

main :- jeu(9, R), write(R), nl.
