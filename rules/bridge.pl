% Bridge and torch.
%
% Walkers of different speeds must cross a bridge at night.  It carries two at a
% time, they have one torch between them, and a pair goes at the pace of the
% slower one.  How soon can all be over?  A move costs the minutes it takes.
%
% A state is bridge(Here, There, Torch): the walkers on either side, each one as
% the minutes he needs, in ascending order, and the side of the torch.
%
% Instances and their best times:
%
%     band      1, 2, 5, 10         17 minutes
%     couples   1, 3, 6, 8, 12      29 minutes
%     slow      5, 10, 20, 25       60 minutes
%     seven     1, 2, 6, 7, 8, 9, 10    37 minutes
%
% Things to try: it is not the fastest walker who should see everyone over.

initial_state(band,    bridge([1,2,5,10], [], here)).
initial_state(couples, bridge([1,3,6,8,12], [], here)).
initial_state(slow,    bridge([5,10,20,25], [], here)).
initial_state(seven,   bridge([1,2,6,7,8,9,10], [], here)).

final_state(bridge([], _, there)).

rule(cross(Walkers), Minutes, bridge(Here1, There1, here), bridge(Here2, There2, there)) :-
    walkers(Walkers, Minutes, Here1, Here2),
    merge(Walkers, There1, There2).
rule(return(Walkers), Minutes, bridge(Here1, There1, there), bridge(Here2, There2, here)) :-
    walkers(Walkers, Minutes, There1, There2),
    merge(Walkers, Here1, Here2).

% walkers(Walkers, Minutes, Group, Others): one or two of the Group.  The lists
% are in ascending order, so that the second of two walkers is the slower one.
walkers([A], A, Group, Others) :-
    select(A, Group, Others).
walkers([A,B], B, Group, Others) :-
    select(A, Group, Group1),
    select(B, Group1, Others),
    A < B.

% merge(As, Bs, Cs): two ascending lists into one.
merge([], Bs, Bs) :- !.
merge(As, [], As) :- !.
merge([A|As], [B|Bs], [A|Cs]) :-
    A =< B, !,
    merge(As, [B|Bs], Cs).
merge(As, [B|Bs], [B|Cs]) :-
    merge(As, Bs, Cs).

% The slowest walker must cross.
heuristic(bridge([], _, _), 0) :- !.
heuristic(bridge(Here, _, _), H) :-
    last(Here, H).

print_state(bridge(Here, There, Torch)) :-
    write(Here),
    print_bridge(Torch),
    write(There), nl.

print_bridge(here)  :- write(' *======== ').
print_bridge(there) :- write(' ========* ').
