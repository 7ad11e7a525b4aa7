% Three pick heads or tails; who is alone with it is paid by the others.
players([a, b, c]).

action(_, _, heads).
action(_, _, tails).

payoff(As, Us) :-
    findall(U, (select(A, As, Others), paid(A, Others, U)), Us).

paid(A, [B, C], 2) :- A \== B, B == C.
paid(A, [B, C], -1) :- B \== C, ( A == B ; A == C ).
paid(A, [A, A], 0).
