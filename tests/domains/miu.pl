% The MIU puzzle (Hofstadter) with strings of at most 9 letters, read by a grammar.
initial_state([m,i]).
final_state([m,u]).

rule(one, 1, S, T)   :- append(_, [i], S), append(S, [u], T), short(T).
rule(two, 1, [m|X], [m|XX]) :- append(X, X, XX), short([m|XX]).
rule(three, 1, S, T) :- phrase(three(T), S).
rule(four, 1, S, T)  :- phrase(four(T), S).

short(S) :- length(S, N), N =< 9.

three([u|Rest]) --> [i,i,i], rest(Rest).
three([X|Xs]) --> [X], three(Xs).

four(Rest) --> [u,u], rest(Rest).
four([X|Xs]) --> [X], four(Xs).

rest([]) --> [].
rest([X|Xs]) --> [X], rest(Xs).
