% Chomp on a bar of rows [4,4,3]; the row lengths never increase.
initial_state([4,4,3]).
initial_player(alice).
opponent(alice, bob).
opponent(bob, alice).

move(_, bite(R,C), S, T) :-
    nth1(R, S, Len),
    between(1, Len, C),
    [R,C] \== [1,1],
    R0 is R - 1,
    length(Upper, R0),
    append(Upper, Lower, S),
    C1 is C - 1,
    maplist(shorten(C1), Lower, Lower2),
    append(Upper, Lower2, T).

shorten(C, L, M) :- M is min(C, L).

terminal(_, [1|Rest]) :- sumlist(Rest, 0).

utility(_, _, -1).
