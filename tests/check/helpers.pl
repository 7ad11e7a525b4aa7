% Helpers with names of the contract, and predicates for people: nothing to be said.
initial_state(0). final_state(5).
rule(up, C, N, M) :- rule(N, M), cost(N, C).
rule(N, M) :- N < 5, M is N + 1.
cost(_, 1).
go :- bfs(P, C), show(P), writeln(C).
show(P) :- forall(member(M, P), writeln(M)).
