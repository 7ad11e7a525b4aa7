% A game of zug, to be loaded with `load` while playing by its rules.
rules('pig.pl').
seed(4).
start(a, pig(a,0,0,0,decide)).
player(a, human).
player(b, random).
played(1, a, throw).
played(2, chance, 3).
