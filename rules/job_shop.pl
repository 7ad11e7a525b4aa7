% job_shop.pl: jobs are tasks in a given order, each on a machine for a time; when is all done at the earliest?
%
% Three jobs on three machines: what each of them needs is in job/2, as Machine-Time.
%
%     zug solve job_shop.pl       a best plan: when each task starts, and when all is done

:- use_module(library(clpfd)).

job(1, [1-3, 2-2, 3-2]).
job(2, [1-2, 3-1, 2-4]).
job(3, [2-4, 3-3]).

model([end=End, starts=Starts]) :-
    findall(Tasks, job(_, Tasks), Jobs),
    horizon(Jobs, Horizon),
    End in 0..Horizon,
    maplist(start_times(Horizon), Jobs, Starts),
    maplist(in_order(End), Jobs, Starts),
    append(Jobs, Tasks),
    append(Starts, Times),
    findall(Machine, member(Machine-_, Tasks), Machines0),
    sort(Machines0, Machines),
    maplist(one_at_a_time(Tasks, Times), Machines).

objective(Vars, min(End)) :-
    memberchk(end=End, Vars).

% One task after the other is a plan, if a bad one.
horizon(Jobs, Horizon) :-
    append(Jobs, Tasks),
    findall(Time, member(_-Time, Tasks), Times),
    sum_list(Times, Horizon).

start_times(Horizon, Tasks, Starts) :-
    length(Tasks, Number),
    length(Starts, Number),
    Starts ins 0..Horizon.

% Each task of a job starts when the one before is done.
in_order(End, [_-Time], [Start]) :-
    Start + Time #=< End.
in_order(End, [_-Time,Next|Tasks], [Start,Later|Starts]) :-
    Start + Time #=< Later,
    in_order(End, [Next|Tasks], [Later|Starts]).

one_at_a_time(Tasks, Times, Machine) :-
    on_machine(Tasks, Times, Machine, Starts, Durations),
    serialized(Starts, Durations).

on_machine([], [], _, [], []).
on_machine([Machine-Time|Tasks], [Start|Starts], Machine, [Start|Own], [Time|Durations]) :-
    !,
    on_machine(Tasks, Starts, Machine, Own, Durations).
on_machine([_|Tasks], [_|Starts], Machine, Own, Durations) :-
    on_machine(Tasks, Starts, Machine, Own, Durations).
