% Noughts and crosses: 3x3 list of lists, free squares are unbound variables.
situation_initiale([[_,_,_],[_,_,_],[_,_,_]]).
joueur_initial(x).
adversaire(x, o).
adversaire(o, x).

jouer(J, Etat, [L,C]) :-
    nth1(L, Etat, Ligne), nth1(C, Ligne, Case),
    var(Case), Case = J.

situation_terminale(_, E) :- alignement(A, E), termine(A), !.
situation_terminale(_, E) :- ground(E).

termine([X,Y,Z]) :- nonvar(X), X == Y, Y == Z.

alignement(A, E) :- nth1(_, E, A).
alignement(A, E) :- colonnes(E, Cs), nth1(_, Cs, A).
alignement([A,B,C], [[A,_,_],[_,B,_],[_,_,C]]).
alignement([A,B,C], [[_,_,A],[_,B,_],[C,_,_]]).

colonnes([[A,B,C],[D,E,F],[G,H,I]], [[A,D,G],[B,E,H],[C,F,I]]).

gagnant([X,Y,Z], J) :- X == J, Y == J, Z == J.

possible([], _).
possible([X|Xs], J) :- ( var(X) -> true ; X == J ), possible(Xs, J).

heuristique(J, E, 10000) :- alignement(A, E), gagnant(A, J), !.
heuristique(J, E, -10000) :- adversaire(J, K), alignement(A, E), gagnant(A, K), !.
heuristique(J, E, H) :-
    adversaire(J, K),
    findall(x, (alignement(A, E), possible(A, J)), L1), length(L1, N1),
    findall(x, (alignement(B, E), possible(B, K)), L2), length(L2, N2),
    H is N1 - N2.
