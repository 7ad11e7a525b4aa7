% Who keeps the zebra?

right_of(X, Y, [Y,X|_]).
right_of(X, Y, [_|T]) :- right_of(X, Y, T).

next_to(X, Y, L) :- right_of(X, Y, L) ; right_of(Y, X, L).

zebra(Owner, Drinker, Hs) :-
    Hs = [h(_,norwegian,_,_,_), _, h(_,_,_,milk,_), _, _],
    member(h(red,english,_,_,_), Hs),
    member(h(green,_,_,coffee,_), Hs),
    member(h(_,spanish,dog,_,_), Hs),
    member(h(_,ukrainian,_,tea,_), Hs),
    right_of(h(green,_,_,_,_), h(ivory,_,_,_,_), Hs),
    member(h(_,_,snails,_,winston), Hs),
    member(h(yellow,_,_,_,kools), Hs),
    next_to(h(_,_,_,_,chesterfield), h(_,_,fox,_,_), Hs),
    next_to(h(_,_,_,_,kools), h(_,_,horse,_,_), Hs),
    member(h(_,_,_,orange_juice,lucky), Hs),
    member(h(_,japanese,_,_,parliament), Hs),
    next_to(h(_,norwegian,_,_,_), h(blue,_,_,_,_), Hs),
    member(h(_,Owner,zebra,_,_), Hs),
    member(h(_,Drinker,_,water,_), Hs).

%? zebra(O, D, _).
%= O = japanese, D = norwegian
%? zebra(_, _, Hs), member(h(red,P,_,_,_), Hs).
%= Hs = [h(yellow,norwegian,fox,water,kools),h(blue,ukrainian,horse,tea,chesterfield),h(red,english,snails,milk,winston),h(ivory,spanish,dog,orange_juice,lucky),h(green,japanese,zebra,coffee,parliament)], P = english
