% Tic-tac-toe, flat list, b is blank
initial_state([b,b,b,b,b,b,b,b,b]).
initial_player(x).
opponent(x,o).
opponent(o,x).

move(P, N, Old, New) :- put(Old, P, 1, N, New).

put([b|T], P, N, N, [P|T]).
put([H|T], P, I, N, [H|U]) :- J is I+1, put(T, P, J, N, U).

win([X,X,X,_,_,_,_,_,_], X) :- X \= b.
win([_,_,_,X,X,X,_,_,_], X) :- X \= b.
win([_,_,_,_,_,_,X,X,X], X) :- X \= b.
win([X,_,_,X,_,_,X,_,_], X) :- X \= b.
win([_,X,_,_,X,_,_,X,_], X) :- X \= b.
win([_,_,X,_,_,X,_,_,X], X) :- X \= b.
win([X,_,_,_,X,_,_,_,X], X) :- X \= b.
win([_,_,X,_,X,_,X,_,_], X) :- X \= b.

terminal(_, S) :- win(S, _), !.
terminal(_, S) :- \+ member(b, S).

utility(P, S, V) :-
    (   win(S, W)
    ->  ( W == P -> V = 1 ; V = -1 )
    ;   V = 0
    ).

heuristic(P, S, H) :-
    opponent(P, Q),
    findall(1, open(S, P), Ps), findall(1, open(S, Q), Qs),
    length(Ps, A), length(Qs, B),
    H is A - B.

open(S, P) :- maplist([X,Y]>>( X == b -> Y = P ; Y = X ), S, T), win(T, P).
