% Ten blocks: the ordered list of what is on what.

initial_state(S) :-
    sort([on(j,i),on(i,d),on(d,c),on(c,h),on(h,f),on(f,b),on(g,e),on(e,a),on(b,table),on(a,table)],
         S).
final_state(S) :-
    sort([on(b,h),on(h,c),on(c,f),on(f,e),on(e,d),on(i,g),on(j,a),on(d,table),on(g,table),
          on(a,table)], S).

block(X) :- member(X, [a,b,c,d,e,f,g,h,i,j]).
clear(X, S) :- \+ member(on(_,X), S).
rule(move(X,To), 1, S1, S2) :-
    select(on(X,From), S1, Rest),
    clear(X, S1),
    ( To = table, From \== table ; block(To), To \== X, To \== From, clear(To, S1) ),
    sort([on(X,To)|Rest], S2).
