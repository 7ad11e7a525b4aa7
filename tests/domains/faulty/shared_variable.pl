% Two squares may come to share a variable; whoever fills one fills the other.
initial_state([_,_,a,_,b]).
final_state(S) :- ground(S).

rule(fill(I,V), 1, S, T) :- nth0(I, S, X), var(X), member(V, [a,b]), copy_term(S, T), nth0(I, T, V).
rule(tie(I,J), 2, S, T) :-
    nth0(I, S, X), var(X),
    nth0(J, S, Y), J > I, var(Y), X \== Y,
    copy_term(S, T),
    nth0(I, T, Z), nth0(J, T, Z).
rule(free(I), 3, S, T) :- nth0(I, S, X), nonvar(X), I < 2, replace(S, I, T).

replace([_|Xs], 0, [_|Xs]) :- !.
replace([X|Xs], I, [X|Ys]) :- J is I - 1, replace(Xs, J, Ys).

heuristic(S, H) :- term_variables(S, Vs), length(Vs, H).
