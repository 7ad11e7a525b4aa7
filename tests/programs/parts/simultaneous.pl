% Games in which all players choose at once: tables, equilibria, matches, and faults in the rules.

players([a, b]).
action(_, _, 0).
action(_, _, 1).

%# Matching pennies.
payoff([X, X], [1, -1]).
payoff([X, Y], [-1, 1]) :- X \== Y.
%? nash(Ss, Us).
%= Ss = [[0-1/2,1-1/2],[0-1/2,1-1/2]], Us = [0,0]
%? dominated(J, A).
%= false
%? nash(_, _, [learn(regret), iterations(100), seed(1), exploitability(_E)]), _E >= 0, _E < 0.5.
%= true

%# Three equilibria.
payoff([0,0], [3,2]).
payoff([1,1], [2,3]).
payoff([0,1], [0,0]).
payoff([1,0], [0,0]).
%? nash(Ss, Us, [gains(Gs)]).
%= Ss = [[0-1],[0-1]], Us = [3,2], Gs = [0,0]
%= Ss = [[1-1],[1-1]], Us = [2,3], Gs = [0,0]
%= Ss = [[0-3/5,1-2/5],[0-2/5,1-3/5]], Us = [6/5,6/5], Gs = [0,0]

%# A dilemma.
payoff([0,0], [3,3]).
payoff([0,1], [0,5]).
payoff([1,0], [5,0]).
payoff([1,1], [1,1]).
%? dominated(J, A, By).
%= J = a, A = 0, By = [1-1]
%= J = b, A = 0, By = [1-1]

%# Options of nash/3.
payoff([1,1], [1,-1]).
payoff([_,_], [0,0]).
%? nash(_, Us, [eliminate(weak)]).
%= Us = [0,0]
%? nash(_, Us, [eliminate(x)]).
%~ option
%? nash(_, Us, [nonsense(1)]).
%~ option
%? nash(_, Us, [nodes(0)]).
%~ nodes

%# Payoffs of different lengths.
payoff([0,_], [1,2]).
payoff([1,_], [1,2,3]).
%? nash(_, _).
%~ payoff/2 gives 3 payoffs, and there are 2 players, part:3:1

%# No payoff.
payoff([0,_], [1,2]).
%? nash(_, _).
%~ payoff/2 has no answer for the actions [1,0]

%# A payoff that is no number.
payoff(_, [1,high]).
%? nash(_, _).
%~ `high` in an answer of payoff/2 is no number, part:2:1

%# A payoff without a value.
payoff(_, [1,_]).
%? nash(_, _).
%~ the payoff has no value in an answer of payoff/2, part:2:1

%# Payoffs that are no list.
payoff(_, 1).
%? nash(_, _).
%~ `1` in an answer of payoff/2 is no list, part:2:1

%# No payoffs.
%? nash(_, _).
%~ the program has no payoff/2

%# No players.
players([]).
payoff(_, []).
%? nash(_, _).
%~ players/1 names nobody

%# A player twice.
players([a, a]).
payoff(_, [1,1]).
%? nash(_, _).
%~ players/1 names `a` twice, part:2:1

%# A player without actions.
action(a, _, x).
payoff(_, [1,1]).
%? nash(_, _).
%~ action/3 has no answer for player b

%# An action without a value.
action(_, _, _).
payoff(_, [1,1]).
%? nash(_, _).
%~ `_0` in an answer of action/3 has unbound variables, part:2:1

%# An error in action/3.
action(_, _, X) :- foo(X), X = 1.
payoff(_, [1,1]).
%? nash(_, _).
%~ unknown procedure foo/1

%# Stages without a utility.
initial_state(s).
terminal(e).
joint_move(_, s, e).
%? nash(_, _).
%~ the program has no utility/3

%# Players of the rule file play.
players([one, two]).
action(_, _, H) :- member(H, [r, p, s]).
payoff([A, A], [0, 0]).
payoff([A, B], [1, -1]) :- beats(A, B).
payoff([A, B], [-1, 1]) :- beats(B, A).
beats(r, s).
beats(s, p).
beats(p, r).
strategy(cycle, [], _, r).
strategy(cycle, [Last|_], _, Next) :- beats(Next, Last).
strategy(copy, _, [], r).
strategy(copy, _, [Last|_], Last).
strategy(say(H), _, _, H).
strategy(mute, [], _, r).
strategy(wild, _, _, H) :- random_member(H, [r, p, s]).
% cycle plays r, p, s, r, ...: what beats its last. copy shows it one round later.
%? match(cycle, copy, S, [rounds(10)]).
%= S = score(9,1,0,[9,-9])
%? match(counter(cycle), cycle, S, [to(5)]).
%= S = score(5,0,0,[5,-5])
%? match(cycle, counter(cycle), S, [rounds(3)]).
%= S = score(0,0,3,[-3,3])
%? match(say(p), fixed(r), S, [rounds(3)]).
%= S = score(3,0,0,[3,-3])
%? match(fixed(r), fixed(r), S, [to(2)]).
%= S = score(0,200,0,[0,0])
%? match(wild, nash, _S, [seed(7)]), match(wild, nash, _T, [seed(7)]), _S == _T.
%= true
%? tournament([copy, cycle], S, [rounds(10), matches(2)]).
%= S = [standing(cycle,2,0,0,18),standing(copy,0,0,2,-18)]
%? match(histry(2), nash, _, []).
%~ `histry(2)` is no player; there are uniform, nash
%? match(nash, fixed(x), _, []).
%~ there is no action `x`; there are r, p, s
%? match(nash, history(0), _, []).
%~ the order 0 is not between 1 and 64
%? match(nash, say(x), _, []).
%~ strategy/4 says `x` for say(x), which is no action of this player
%? match(nash, mute, _, []).
%~ strategy/4 has no answer for mute
