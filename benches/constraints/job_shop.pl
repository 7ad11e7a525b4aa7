% A job shop: each job is a list of machine-duration pairs in their order; each machine does one thing at a
% time. The shortest schedule.
:- use_module(library(clpfd)).

jobs([[1-3, 2-2, 3-2],
      [1-2, 3-1, 2-4],
      [2-4, 3-3, 1-1],
      [3-2, 1-3, 2-2],
      [2-1, 1-4, 3-3],
      [1-2, 2-3, 3-4]]).

schedule(Starts, End) :-
    jobs(Jobs),
    End in 0..60,
    maplist(job(End), Jobs, Tasks, Starts),
    append(Tasks, All),
    forall_machines([1,2,3], All).

job(End, Operations, Tasks, Starts) :-
    operations(Operations, 0, End, Tasks, Starts).

operations([], Before, End, [], []) :-
    Before #=< End.
operations([Machine-Duration|Operations], Before, End, [Machine-t(Start,Duration)|Tasks],
           [Start|Starts]) :-
    Start in 0..60,
    Start #>= Before,
    After #= Start + Duration,
    operations(Operations, After, End, Tasks, Starts).

forall_machines([], _).
forall_machines([Machine|Machines], Tasks) :-
    findall(I, nth1(I, Tasks, Machine-_), Is),
    maplist(nth_task(Tasks), Is, Starts, Durations),
    serialized(Starts, Durations),
    forall_machines(Machines, Tasks).

nth_task(Tasks, I, Start, Duration) :-
    nth1(I, Tasks, _-t(Start,Duration)).

main :-
    forall(between(1, 30, _),
           ( schedule(Starts0, End0), append(Starts0, Vs0),
             once(labeling([min(End0), ff], [End0|Vs0])) )),
    schedule(Starts, End),
    append(Starts, Vs),
    once(labeling([min(End), ff], [End|Vs])),
    print(End-Starts), nl.
