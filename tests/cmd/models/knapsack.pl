% What to pack: weights of at most 15 together, the greatest worth.

:- use_module(library(clpfd)).

model([lamp=L, rope=R, tent=T, food=F]) :-
    [L,R,T,F] ins 0..3,
    2*L + 3*R + 7*T + 4*F #=< 15.

objective([lamp=L, rope=R, tent=T, food=F], max(3*L + 5*R + 12*T + 7*F)).
