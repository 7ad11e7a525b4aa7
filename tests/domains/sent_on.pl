% Three rows of three squares: the square that is marked says on which row the other player goes on. Who
% fills a row wins it; where a row is full, any will do.

initial_state(s([[e,e,e],[e,e,e],[e,e,e]], 1, 0)).

initial_player(x).

opponent(x, o).
opponent(o, x).

move(J, R/C, s(Rows1, Next1, N1), s(Rows2, Next2, N2)) :-
    allowed(Next1, R),
    nth1(R, Rows1, Row1),
    nth1(C, Row1, e),
    mark(C, J, Row1, Row2),
    mark(R, Row2, Rows1, Rows2),
    ( memberchk(e, Row2) -> N2 = N1 ; gained(J, N1, N2) ),
    nth1(C, Rows2, Row),
    ( memberchk(e, Row) -> Next2 = C ; Next2 = any ).

allowed(any, R) :- !, between(1, 3, R).
allowed(R, R).

gained(x, N1, N2) :- N2 is N1 + 1.
gained(o, N1, N2) :- N2 is N1 - 1.

mark(1, X, [_|T], [X|T]) :- !.
mark(N, X, [H|T], [H|R]) :- M is N - 1, mark(M, X, T, R).

terminal(_, s(Rows, _, _)) :- \+ ( member(Row, Rows), memberchk(e, Row) ).

utility(x, s(_, _, N), N).
utility(o, s(_, _, N), U) :- U is -N.
