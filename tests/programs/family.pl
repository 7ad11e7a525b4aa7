% A family tree.

parent(anna, bert).     parent(anna, clara).
parent(karl, bert).     parent(karl, clara).
parent(bert, dora).     parent(bert, emil).
parent(clara, fritz).   parent(dora, gerd).

female(anna). female(clara). female(dora).
male(karl). male(bert). male(emil). male(fritz). male(gerd).

father(X, Y) :- male(X), parent(X, Y).
mother(X, Y) :- female(X), parent(X, Y).
grandparent(X, Z) :- parent(X, Y), parent(Y, Z).
sibling(X, Y) :- mother(M, X), mother(M, Y), X \= Y.
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).
cousin(X, Y) :- parent(P, X), parent(Q, Y), sibling(P, Q).
childless(X) :- ( male(X) ; female(X) ), \+ parent(X, _).

%? father(F, dora).
%= F = bert
%? grandparent(G, emil).
%= G = anna
%= G = karl
%? ancestor(anna, D).
%= D = bert
%= D = clara
%= D = dora
%= D = emil
%= D = gerd
%= D = fritz
%? ancestor(A, gerd).
%= A = dora
%= A = anna
%= A = karl
%= A = bert
%? sibling(bert, S).
%= S = clara
%? cousin(emil, C).
%= C = fritz
%? childless(X).
%= X = emil
%= X = fritz
%= X = gerd
%? setof(C, P^parent(P, C), Cs).
%= C = _, P = _, Cs = [bert,clara,dora,emil,fritz,gerd]
%? setof(C, parent(P, C), Cs).
%= C = _, P = anna, Cs = [bert,clara]
%= C = _, P = bert, Cs = [dora,emil]
%= C = _, P = clara, Cs = [fritz]
%= C = _, P = dora, Cs = [gerd]
%= C = _, P = karl, Cs = [bert,clara]
%? bagof(C-P, parent(P, C), L), length(L, N).
%= C = _, P = _, L = [bert-anna,clara-anna,bert-karl,clara-karl,dora-bert,emil-bert,fritz-clara,gerd-dora], N = 8
%? forall(parent(P, _), ( male(P) ; female(P) )).
%= P = _
%? \+ parent(gerd, _).
%= true
%? aggregate_all(count, ancestor(_, gerd), N).
%= N = 4
%? unknown(anna).
%! error(existence_error(procedure,unknown/1))
