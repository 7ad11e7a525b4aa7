% Matching pennies.
%
% Both lay a penny on the table.  If the pennies match, even gets the other's, if
% not, odd does.
%
% Things to try: let two heads be worth 3 pennies instead of 1.  The game is good
% for even then, and yet even shows heads less often: why?

players([even, odd]).

action(_, _, heads).
action(_, _, tails).

payoff([heads, heads], [1, -1]).
payoff([heads, tails], [-1, 1]).
payoff([tails, heads], [-1, 1]).
payoff([tails, tails], [1, -1]).
