% A comma for a full stop.
%! W0525 4
initial_state(s([a,b],0)). final_state(s([],_)).
rule(put(J), D, s(L,X), s(R,X1)) :- select(J,L,R), dur(J,D), X1 is X+D,
rule(skip, 1, s([_|L],X), s(L,X)).
dur(a, 3). dur(b, 4).
