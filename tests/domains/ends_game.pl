% Two players take coins from the ends of a row; score(A, B) counts.
initial_state(ends([3,9,1,2,7,5], score(0,0))).
initial_player(first).
opponent(first, second).
opponent(second, first).

move(P, head, ends([C|Cs], S1), ends(Cs, S2)) :- add(P, C, S1, S2).
move(P, tail, ends(Cs, S1), ends(Ds, S2)) :-
    last(Cs, C),
    append(Ds, [C], Cs), !,
    Ds \== [],
    add(P, C, S1, S2).

add(first, C, score(A,B), score(A1,B)) :- A1 is A + C.
add(second, C, score(A,B), score(A,B1)) :- B1 is B + C.

terminal(_, ends([], _)).

utility(first, ends(_, score(A,B)), U) :- U is A - B.
utility(second, ends(_, score(A,B)), U) :- U is B - A.

heuristic(P, ends(Cs, S), H) :-
    utility(P, ends(Cs, S), U),
    ( Cs = [] -> H = U ; max_list(Cs, M), H is U + M / 2 ).
