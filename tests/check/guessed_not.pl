% A program with a search of its own is no puzzle of zug's.

start(s(0,0)).
goal(s(4,_)).
move(s(_,B), fill_a, s(5,B)).
move(s(A,_), fill_b, s(A,3)).
move(s(A,B), pour, s(C,D)) :- T is min(A, 3 - B), C is A - T, D is B + T.

route(Path) :- start(S), search([S-[]], [S], Path).

search([S-Path|_], _, Path) :- goal(S), !.
search([S-Path|Rest], Seen, Found) :-
    findall(T-[M|Path], ( move(S, M, T), \+ memberchk(T, Seen) ), Next),
    append(Rest, Next, Open),
    findall(T, member(T-_, Next), New),
    append(New, Seen, All),
    search(Open, All, Found).
