% Rush hour on 5 x 5; car(Name, h or v, Column, Row, Length).
% The red car r leaves on the right in row 3.

initial_state([car(a,v,3,2,2), car(b,h,3,4,2), car(c,h,1,2,2), car(d,v,1,4,2), car(r,h,1,3,2), car(t,v,5,1,3), car(u,h,2,5,3)]).

final_state(Cars) :- member(car(r,h,4,3,_), Cars).

rule(Name > Way, 1, Cars, New) :-
    append(Before, [Car|After], Cars),
    append(Before, After, Others),
    Car = car(Name,_,_,_,_),
    roll(Car, Way, New1, Free),
    free(Free, Others),
    append(Before, [New1|After], New).

roll(car(N,h,C,R,L), right, car(N,h,C1,R,L), F/R) :- C1 is C + 1, F is C + L, F =< 5.
roll(car(N,h,C,R,L), left,  car(N,h,C1,R,L), C1/R) :- C1 is C - 1, C1 >= 1.
roll(car(N,v,C,R,L), down,  car(N,v,C,R1,L), C/F) :- R1 is R + 1, F is R + L, F =< 5.
roll(car(N,v,C,R,L), up,    car(N,v,C,R1,L), C/R1) :- R1 is R - 1, R1 >= 1.

free(Square, Cars) :- \+ ( member(Car, Cars), covers(Car, Square) ).

covers(car(_,h,C,R,L), X/R) :- C1 is C + L - 1, between(C, C1, X).
covers(car(_,v,C,R,L), C/Y) :- R1 is R + L - 1, between(R, R1, Y).

heuristic(Cars, H) :- member(car(r,_,C,_,_), Cars), H is 4 - C.
