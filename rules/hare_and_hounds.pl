% Hare and hounds, the soldiers' game.
%
% Three hounds hunt a hare over the points and lines of this field:
%
%         b-e-h
%        /|\|/|\
%       a-c-f-i-k
%        \|/|\|/
%         d-g-j
%
% One hound or the hare goes along a line to a free point next to it; the hounds begin,
% and never go back to the left.  They win when the hare can't move.  The hare wins when
% no hound is left of it any more.  Both can go to and fro: the play may go on for ever,
% and then nobody wins.
%
% A state is hunt(Hounds, Hare), with the points of the hounds in their order.  A move
% is From-To.
%
% From the start the hounds win with their twelfth move at the latest.  A quarter of all
% states is drawn, for one hunt([d,e,k],i) with the hounds to move.
%
% Things to try: look at a play that the hounds win.  Does it help the hare to have the
% first move?  Count the states that are won, lost and drawn.

initial_state(hunt([a,b,d], k)).

initial_player(hounds).

opponent(hounds, hare).
opponent(hare, hounds).

move(hounds, From-To, hunt(Hounds1, Hare), hunt(Hounds2, Hare)) :-
    select(From, Hounds1, Others),
    next_to(From, To),
    To \== Hare,
    \+ memberchk(To, Others),
    \+ left_of(To, From),
    msort([To|Others], Hounds2).
move(hare, From-To, hunt(Hounds, From), hunt(Hounds, To)) :-
    next_to(From, To),
    \+ memberchk(To, Hounds).

next_to(P, Q) :- line(Points), nextto(P, Q, Points).
next_to(P, Q) :- line(Points), nextto(Q, P, Points).

line([b,e,h]).   line([a,c,f,i,k]).   line([d,g,j]).
line([b,c,d]).   line([e,f,g]).       line([h,i,j]).
line([a,b,f,j,k]).                    line([a,d,f,h,k]).

left_of(P, Q) :-
    column(P, C),
    column(Q, D),
    C < D.

column(a, 1).
column(b, 2).   column(c, 2).   column(d, 2).
column(e, 3).   column(f, 3).   column(g, 3).
column(h, 4).   column(i, 4).   column(j, 4).
column(k, 5).

terminal(_, S) :- escaped(S), !.
terminal(_, S) :- \+ move(hare, _, S, _).

escaped(hunt(Hounds, Hare)) :-
    \+ ( member(Hound, Hounds), left_of(Hound, Hare) ).

utility(hare, S, U) :-
    (   escaped(S)
    ->  U = 1
    ;   U = -1
    ).
utility(hounds, S, U) :-
    utility(hare, S, V),
    U is -V.

% Nothing is known before the end.
heuristic(J, S, H) :- terminal(J, S), !, utility(J, S, H).
heuristic(_, _, 0).

print_state(S) :-
    print_points('  ', [b,e,h], S),
    write(' /|\\|/|\\'), nl,
    print_points('', [a,c,f,i,k], S),
    write(' \\|/|\\|/'), nl,
    print_points('  ', [d,g,j], S).

print_points(Margin, [Point|Points], S) :-
    write(Margin),
    print_point(Point, S),
    forall(member(P, Points), ( write('-'), print_point(P, S) )), nl.

print_point(P, hunt(_, P)) :- !, write('o').
print_point(P, hunt(Hounds, _)) :- memberchk(P, Hounds), !, write('H').
print_point(_, _) :- write('.').
