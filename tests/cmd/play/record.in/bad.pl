% A game of zug that nobody can have played.
rules('sticks.pl').
start(a, 5).
player(a, human).
player(b, random).
played(1, a, take(3)).
