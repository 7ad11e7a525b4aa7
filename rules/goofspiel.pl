% Goofspiel, the game of pure strategy.  (M. Flood, 1930s; S. Ross, Goofspiel, 1971.)
%
% Both hold the cards from 1 to N, and prizes from 1 to N are turned up one by one,
% here from the highest down.  Both bid a card at the same time; the higher one takes
% the prize, of equal ones nobody does.  The cards that were bid are gone.
%
% A state is goofspiel(Prizes, Mine, Yours, Lead): the prizes to come, the cards of
% both, and by how much the first player leads.  Who is ahead at the end wins what
% the lead is.
%
% Things to try: `zug solve` the instances; why must the value be 0?  Then take a
% card away: --state 'goofspiel([3,2,1],[1,2,4],[1,2,3],0)'.  Let only the winner
% count, not the lead: a different utility/3 changes how bold one should be.

players([first, second]).

initial_state(three, S) :- deal(3, S).
initial_state(two,   S) :- deal(2, S).
initial_state(four,  S) :- deal(4, S).

deal(N, goofspiel(Prizes, Cards, Cards, 0)) :-
    numlist(1, N, Cards),
    reverse(Cards, Prizes).

action(first,  goofspiel(_, Cards, _, _), Card) :- member(Card, Cards).
action(second, goofspiel(_, _, Cards, _), Card) :- member(Card, Cards).

joint_move([A, B], goofspiel([Prize|Prizes], As, Bs, Lead1),
                   goofspiel(Prizes, As1, Bs1, Lead2)) :-
    select(A, As, As1),
    select(B, Bs, Bs1),
    takes(A, B, Prize, Gain),
    Lead2 is Lead1 + Gain.

takes(A, B, Prize, Gain) :-
    (   A > B
    ->  Gain = Prize
    ;   A < B
    ->  Gain is -Prize
    ;   Gain = 0
    ).

terminal(goofspiel([], _, _, _)).

utility(first,  goofspiel([], _, _, Lead), Lead).
utility(second, goofspiel([], _, _, Lead), Loss) :- Loss is -Lead.

print_state(goofspiel(Prizes, As, Bs, Lead)) :-
    format("prizes ~w, first holds ~w, second ~w, first leads by ~w~n", [Prizes, As, Bs, Lead]).
