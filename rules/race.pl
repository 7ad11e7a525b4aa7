% A race of counters, with a die.
%
% Two players, white and black, have two counters each at the start of a track.  The
% die is thrown, and who is on moves one of their counters so many squares; what would
% go beyond the last square stays there, at home.  First to bring both home wins.
% With capture(yes) a counter that meets one of the other player on its way sends it
% back to the start.
%
% A state is race(J, Die, Whites, Blacks): J is on, Die is the number thrown, or
% `throw` before that; the counters of each are a list of their squares, in order.
%
% Things to try: which counter should move, the one behind or the one in front?  Is
% it worth more to begin with capture(yes)?  Play comes back to a state then, and the
% values are no longer fractions.

squares(6).             % the last one is home
faces(3).               % of the die
capture(no).            % or yes

initial_state(race(white, throw, [0,0], [0,0])).

initial_player(white).

opponent(white, black).
opponent(black, white).

to_move(race(_, throw, _, _), chance) :- !.
to_move(race(J, _, _, _), J).

move(chance, Number, race(J, throw, Ws, Bs), race(J, Number, Ws, Bs)) :-
    faces(Faces),
    between(1, Faces, Number).
move(white, from(P), race(white, Number, Ws, Bs), race(black, throw, Ws1, Bs1)) :-
    advance(P, Number, Ws, Ws1, Q),
    meet(Q, Bs, Bs1).
move(black, from(P), race(black, Number, Ws, Bs), race(white, throw, Ws1, Bs1)) :-
    advance(P, Number, Bs, Bs1, Q),
    meet(Q, Ws, Ws1).

% advance(P, Number, Ps, Ps1, Q): a counter goes from P to Q.
advance(P, Number, Ps, Ps1, Q) :-
    squares(Home),
    sort(Ps, Squares),
    member(P, Squares),
    P < Home,
    Q is min(Home, P + Number),
    once(select(P, Ps, Others)),
    msort([Q|Others], Ps1).

% meet(Q, Ps, Ps1): what becomes of the counters Ps when one of the others is on Q.
meet(Q, Ps, Ps1) :-
    capture(yes),
    squares(Home),
    Q < Home,
    member(Q, Ps), !,
    maplist(back(Q), Ps, Ps2),
    msort(Ps2, Ps1).
meet(_, Ps, Ps).

back(Q, Q, 0) :- !.
back(_, P, P).

probability(_, _, 1/Faces) :- faces(Faces).

terminal(_, S) :- winner(S, _).

winner(race(_, _, Ws, _), white) :- all_home(Ws).
winner(race(_, _, _, Bs), black) :- all_home(Bs).

all_home(Ps) :-
    squares(Home),
    maplist(==(Home), Ps).

utility(J, S, U) :-
    winner(S, W),
    ( W == J -> U = 1 ; U = -1 ).

utility_bounds(-1, 1).

% How many squares J is ahead, as a part of all.
heuristic(J, S, U) :- winner(S, _), !,
    utility(J, S, U).
heuristic(J, race(_, _, Ws, Bs), H) :-
    sum_list(Ws, White),
    sum_list(Bs, Black),
    squares(Home),
    ( J == white -> Ahead is White - Black ; Ahead is Black - White ),
    H is Ahead / (2 * Home).

print_state(race(J, Die, Ws, Bs)) :-
    print_track('W', Ws),
    print_track('B', Bs),
    print_die(Die, J).

% How many counters are on each square, from the start to home.
print_track(Sign, Ps) :-
    squares(Home),
    format(" ~w ", [Sign]),
    forall(between(0, Home, Square), print_square(Square, Ps)), nl.

print_square(Square, Ps) :-
    aggregate_all(count, member(Square, Ps), Count),
    ( Count =:= 0 -> write(' .') ; format(" ~w", [Count]) ).

print_die(throw, J) :- format(" ~w throws~n", [J]).
print_die(Number, J) :- integer(Number), format(" ~w moves ~w~n", [J, Number]).
