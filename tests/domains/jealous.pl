% Three jealous husbands (a,b,c) and their wives (d,e,f), boat for two.
% No wife with another man unless her own husband is there.

couple(a,d).
couple(b,e).
couple(c,f).

man(M) :- couple(M,_).

initial_state(bank([a,b,c,d,e,f], [], l)).
final_state(bank([], _, _)).

rule(go(Crew), 1, bank(L,R,l), bank(L1,R1,r)) :- crew(L, Crew), shift(L, R, Crew, L1, R1).
rule(back(Crew), 1, bank(L,R,r), bank(L1,R1,l)) :- crew(R, Crew), shift(R, L, Crew, R1, L1).

crew(Bank, [X]) :- member(X, Bank).
crew(Bank, [X,Y]) :- append(_, [X|Rest], Bank), member(Y, Rest).

shift(From, To, Crew, From1, To1) :-
    ok(Crew),
    subtract(From, Crew, From1), ok(From1),
    append(To, Crew, T), msort(T, To1), ok(To1).

ok(Group) :-
    forall(( couple(H, W), memberchk(W, Group), \+ memberchk(H, Group) ),
           \+ ( member(X, Group), man(X) )).
