% Twelve blocks: the ordered list of what is on what.

initial_state(S) :-
    sort([on(k,table),on(c,k),on(l,c),on(h,l),on(b,table),on(d,b),on(g,d),on(a,g),on(i,a),
          on(f,table),on(e,f),on(j,e)], S).
final_state(S) :-
    sort([on(e,table),on(l,e),on(h,l),on(c,table),on(k,c),on(j,table),on(f,j),on(a,f),on(d,table),
          on(b,d),on(i,b),on(g,i)], S).

block(X) :- member(X, [a,b,c,d,e,f,g,h,i,j,k,l]).
clear(X, S) :- \+ member(on(_,X), S).
rule(move(X,To), 1, S1, S2) :-
    select(on(X,From), S1, Rest),
    clear(X, S1),
    ( To = table, From \== table ; block(To), To \== X, To \== From, clear(To, S1) ),
    sort([on(X,To)|Rest], S2).
