% Rules that take many calls, and write.
players([a,b]).
action(_,_,x). action(_,_,y).
payoff([A,B],[1,-1]) :- slow(2000), A==B, !.
payoff(_,[-1,1]).
slow(0) :- !.
slow(N) :- M is N-1, slow(M).
strategy(lazy, _, _, x) :- slow(2000), write(hm).
