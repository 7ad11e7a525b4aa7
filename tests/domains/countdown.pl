% Numbers game: combine two numbers until one of them is the target.
% States are sorted lists of numbers (duplicates stay).

initial_state([2,3,7,8,25]).
target(219).

final_state(Ns) :- target(T), memberchk(T, Ns).

rule(Expr, 1, Ns, New) :-
    select(A, Ns, Rest0),
    select(B, Rest0, Rest),
    A >= B,
    combine(A, B, Expr, C),
    msort([C|Rest], New).

combine(A, B, A+B, C) :- C is A + B.
combine(A, B, A-B, C) :- A > B, C is A - B.
combine(A, B, A*B, C) :- B > 1, C is A * B, C < 1000.
combine(A, B, A/B, C) :- B > 1, A mod B =:= 0, C is A // B.
