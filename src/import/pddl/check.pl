% What written rules say beside what the test found: moves(I, Fluents, Goal, Moves) holds for each state that
% it went through, a move is m(Name, Cost, Fluents).

mismatch(Fs-W) :-
    moves(I, Fs, Goal, Ms),
    state_of(I, Fs, S),
    (   wrong_moves(S, Ms, W)
    ;   ( final_state(S) -> G = true ; G = false ),
        G \== Goal,
        W = goal(G)
    ).

wrong_moves(S, Ms, found(Found)-expected(Expected)) :-
    findall(m(N, C, Fs), ( rule(N, C, S, S2), fluents(S2, Fs) ), Found0),
    msort(Found0, Found),
    findall(m(N, C, Fs), ( member(m(N, C, Fs0), Ms), sort(Fs0, Fs) ), Expected0),
    msort(Expected0, Expected),
    Found \== Expected.

fluents(S, Fs) :-
    S =.. [_|Parts],
    findall(F, ( member(Part, Parts), is_list(Part), member(F, Part) ), Fs0),
    sort(Fs0, Fs).
