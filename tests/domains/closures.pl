% The moves are closures in a table, called with the state.
op(inc(1), add_to(1)).
op(inc(5), add_to(5)).
op(twice, mult(2)).
op(mirror, mirror).
op(swap, exchange).

initial_state(reg(1, 0)).
final_state(reg(21, 12)).

rule(Name, 1, S, T) :-
    op(Name, Op),
    call(Op, S, T),
    T = reg(A, B),
    maplist(small, [A, B]).

add_to(K, reg(A, B), reg(C, B)) :- C is A + K.
mult(K, reg(A, B), reg(C, B)) :- C is A * K.
mirror(reg(A, _), reg(A, B)) :- number_codes(A, Cs), reverse(Cs, Ds), number_codes(B, Ds).
exchange(reg(A, B), reg(B, A)).

small(X) :- X >= 0, X =< 60.

heuristic(reg(A, B), H) :-
    ( A =:= 21 -> H1 = 0 ; H1 = 1 ),
    ( B =:= 12 -> H2 = 0 ; H2 = 1 ),
    H is H1 + H2.
