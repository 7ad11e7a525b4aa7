% Goals before those that bind their variables, and a result that one branch leaves unbound.
%! E0501 5
%! W0530 9
initial_state(s(0,3)). final_state(s(9,9)).
rule(load, 1, s(A,B), s(C,B)) :- C is A + K,
    load(K).
rule(move(D), 1, s(A,B), s(C,B)) :-
    member(D, [left,right]),
    ( D == left, C is A - 1 ; D == right, A > 0 ).
load(1). load(2).
