% A nonogram: lines of squares with the lengths of their runs, by automata.
:- use_module(library(clpfd)).

rows([[3],[2,1],[3,2],[2,2],[6],[1,5],[6],[1],[2]]).
columns([[1,2],[3,1],[1,5],[7,1],[5],[3],[4],[3]]).

nonogram(Rows) :-
    rows(RowRuns),
    columns(ColumnRuns),
    length(RowRuns, R),
    length(ColumnRuns, C),
    length(Rows, R),
    length(First, C),
    maplist(same_length(First), Rows),
    transpose(Rows, Columns),
    maplist(line, RowRuns, Rows),
    maplist(line, ColumnRuns, Columns).

line(Runs, Squares) :-
    Squares ins 0..1,
    arcs(Runs, 0, Last, Arcs),
    automaton(Squares, [source(0), sink(Last)], [arc(0,0,0)|Arcs]).

% The state is how much was seen; an empty square follows each run but the last.
arcs([], S, S, [arc(S,0,S)]).
arcs([Run|Runs], S0, S, Arcs) :-
    run(Run, S0, S1, Arcs, Rest),
    (   Runs == []
    ->  S = S1, Rest = [arc(S1,0,S1)]
    ;   S2 is S1 + 1,
        Rest = [arc(S1,0,S2), arc(S2,0,S2)|Rest1],
        arcs(Runs, S2, S, Rest1)
    ).

run(0, S, S, Arcs, Arcs) :- !.
run(N, S0, S, [arc(S0,1,S1)|Arcs], Rest) :-
    S1 is S0 + 1,
    N1 is N - 1,
    run(N1, S1, S, Arcs, Rest).

main :-
    forall(between(1, 200, _), ( nonogram(Rows), append(Rows, Vs), label(Vs) )),
    nonogram(Rows),
    append(Rows, Vs),
    findall(Rows, label(Vs), All),
    print(All), nl.
