% What written rules and the interpreter say, side by side: play(Steps) holds for each play that the
% interpreter went through, a step is step(Fluents, Over, Legal, Goals, Moves, Next).

mismatch(W) :-
    play(Steps),
    initial_state(S),
    wrong(Steps, S, 0, W).

wrong([step(Fs,_,_,_,_,_)|_], S, N, N-state(S)) :-
    \+ fluents(S, Fs).
wrong([step(_,Over,_,_,_,_)|_], S, N, N-terminal) :-
    ( terminal(S) -> Found = true ; Found = false ),
    Found \== Over.
wrong([step(_,_,Legal,_,_,_)|_], S, N, N-legal(J, Found)) :-
    member(J-Moves, Legal),
    findall(M, legal(J, M, S), Ms),
    sort(Ms, Found),
    \+ sort(Moves, Found).
wrong([step(_,_,_,Goals,_,_)|_], S, N, N-goal(J, Found)) :-
    member(J-Values, Goals),
    findall(V, goal(J, V, S), Vs),
    sort(Vs, Found),
    \+ sort(Values, Found).
wrong([step(_,false,_,_,As,_)|_], S, N, N-move(As)) :-
    As \== none,
    next_state(As, S, S2),
    \+ ( moved(As, S, S3), S3 == S2 ).
wrong([step(_,_,_,_,As,Fs)|_], S, N, N-next(As, S2)) :-
    As \== none,
    next_state(As, S, S2),
    \+ fluents(S2, Fs).
wrong([step(_,_,_,_,As,_)|Steps], S, N, W) :-
    As \== none,
    next_state(As, S, S2),
    N1 is N + 1,
    wrong(Steps, S2, N1, W).

fluents(S, Fs) :-
    findall(F, holds(F, S), All),
    msort(All, Found),
    sort(Fs, Found).
