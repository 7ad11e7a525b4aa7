% Coins in a row, for three players.
%
% Coins of different worth lie in a row.  The players a, b and c in turn take one of
% the two at its ends.  Each wants as much as he can get for himself, which with three
% players is not the same as to leave as little as possible to the others.
%
% A state is coins(Row, Purses), and Purses lists a Player-Amount for each player.
%
% From the row below a gets 20, b 14 and c 11 if all play well, and a must begin with the
% smaller coin: the larger one leads to 15, 17 and 13.
%
% Things to try: let b and c share what they get, and see what it costs a.  For two
% players leave c out of the purses and of opponent/2: who begins with an even number of
% coins never gets less than the other; why?

row([5,8,3,9,1,2,4,6,7]).

initial_state(coins(Row, [a-0,b-0,c-0])) :- row(Row).

initial_player(a).

opponent(a, b).
opponent(b, c).
opponent(c, a).

move(J, End, coins(Row1, Purses1), coins(Row2, Purses2)) :-
    take(End, Coin, Row1, Row2),
    select(J-N1, Purses1, J-N2, Purses2),
    N2 is N1 + Coin.

% take(End, Coin, Row1, Row2): the last coin of all is at the left.
take(left, Coin, [Coin|Row], Row).
take(right, Coin, [First|Row1], [First|Row2]) :-
    append(Row2, [Coin], Row1).

terminal(_, coins([], _)).

utility(J, coins(_, Purses), U) :- memberchk(J-U, Purses).

heuristic(J, S, H) :- utility(J, S, H).

print_state(coins(Row, Purses)) :-
    forall(member(Coin, Row), ( write(' ('), write(Coin), write(')') )), nl,
    forall(member(J-N, Purses), ( write(' '), write(J), write(': '), write(N) )), nl.
