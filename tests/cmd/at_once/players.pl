% Players with mistakes.
players([ann, bob]).

action(_, _, left).
action(_, _, right).

payoff([X, X], [1, 0]).
payoff([X, Y], [0, 1]) :- X \== Y.

strategy(mute, _, [], left).

strategy(wrong, _, Others, up) :- Others = [_, _|_].
strategy(wrong, _, [], left).
strategy(wrong, _, [_], left).
