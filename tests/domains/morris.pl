% Three men's morris: three pieces each on 3 x 3, then they move along lines.
% mm(WhiteSquares, BlackSquares, ToBePlaced); it can go on for ever.
initial_state(mm([1,2,6],[4,5,9])).
initial_player(w).
opponent(w, b).
opponent(b, w).

adjacent(A, B) :- edge(A, B) ; edge(B, A).
edge(1,2). edge(2,3). edge(4,5). edge(5,6). edge(7,8). edge(8,9).
edge(1,4). edge(4,7). edge(2,5). edge(5,8). edge(3,6). edge(6,9).
edge(1,5). edge(5,9). edge(3,5). edge(5,7).

move(w, A-B, mm(W1,Bl), mm(W2,Bl)) :- shift(W1, Bl, A, B, W2).
move(b, A-B, mm(W,B1), mm(W,B2)) :- shift(B1, W, A, B, B2).

shift(Mine, Yours, A, B, New) :-
    select(A, Mine, Rest),
    adjacent(A, B),
    \+ memberchk(B, Mine),
    \+ memberchk(B, Yours),
    sort([B|Rest], New).

mill(S) :- memberchk(S, [[1,2,3],[4,5,6],[7,8,9],[1,4,7],[2,5,8],[3,6,9],[1,5,9],[3,5,7]]).

terminal(w, mm(_, B)) :- mill(B), !.
terminal(b, mm(W, _)) :- mill(W), !.
terminal(J, S) :- \+ move(J, _, S, _).

utility(_, _, -1).

heuristic(w, mm(W,_), H) :- ( memberchk(5, W) -> H = 1 ; H = 0 ).
heuristic(b, mm(_,B), H) :- ( memberchk(5, B) -> H = 1 ; H = 0 ).
