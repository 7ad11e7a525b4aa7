% Tic-tac-toe with unbound variables for free squares, in one structure.
initial_state(t(_,_,_,_,_,_,_,_,_)).
initial_player(cross).
opponent(cross, nought).
opponent(nought, cross).

move(P, I, S, T) :-
    arg(I, S, X),
    var(X),
    copy_term(S, T),
    arg(I, T, P).

row(1,2,3). row(4,5,6). row(7,8,9).
row(1,4,7). row(2,5,8). row(3,6,9).
row(1,5,9). row(3,5,7).

won(S, P) :- row(A, B, C), arg(A, S, X), X == P, arg(B, S, Y), Y == P, arg(C, S, Z), Z == P.

terminal(P, S) :- opponent(P, Q), won(S, Q), !.
terminal(_, S) :- ground(S).

utility(P, S, -1) :- opponent(P, Q), won(S, Q), !.
utility(_, _, 0).

heuristic(P, S, H) :- chances(S, P, A), opponent(P, Q), chances(S, Q, B), H is A - B.

chances(S, P, N) :-
    findall(R, ( row(A,B,C), R = [A,B,C], forall(( member(I, R), arg(I, S, X), nonvar(X) ), X = P) ), Rs),
    length(Rs, N).
