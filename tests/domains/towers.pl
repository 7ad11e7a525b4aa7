% Containers on three places, each a tower of at most three, the top one first. The crane takes
% the top of one tower to another; the lorry comes for them in the order of their numbers.
initial_state(yard([[3,1],[4,2],[]], 1)).
final_state(yard(_, 5)).

rule(load(N), 1, yard(Towers, N), yard(Rest, Next)) :-
    append(Before, [[N|Tower]|After], Towers),
    append(Before, [Tower|After], Rest),
    Next is N + 1.
rule(crane(C,I,J), 2, yard(Towers, N), yard(New, N)) :-
    nth1(I, Towers, [C|From]),
    nth1(J, Towers, To),
    I =\= J,
    length(To, L), L < 3,
    put(1, I, From, Towers, Between),
    put(1, J, [C|To], Between, New).

put(_, _, _, [], []).
put(N, N, T, [_|Ts], [T|Us]) :- !, M is N + 1, put(M, N, T, Ts, Us).
put(N, I, T, [U|Ts], [U|Us]) :- M is N + 1, put(M, I, T, Ts, Us).

heuristic(yard(Towers, _), H) :- foldl([T,A,B]>>( length(T, L), B is A + L ), Towers, 0, H).
