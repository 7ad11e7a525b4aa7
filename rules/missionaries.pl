% Missionaries and cannibals.
%
% As many missionaries as cannibals want to cross a river in a boat.  On neither
% bank may the cannibals outnumber the missionaries, unless no missionary is
% there.  S. Amarel made the three and three a touchstone for how a problem is
% put: "On representations of problems of reasoning about actions" (1968).
%
% A state is river(M, C, Bank, Party): M missionaries and C cannibals are on the
% left bank, the boat is at Bank, and Party says how many there are of each in
% all and how many the boat holds: party(N, Seats).
%
% Instances and their shortest solutions:
%
%     three  three of each, two seats     11 crossings
%     five   five of each, three seats    11 crossings
%     four   four of each, two seats      none
%
% Things to try: an island in the river makes `four` solvable.

initial_state(three, river(3, 3, left, party(3, 2))).
initial_state(five,  river(5, 5, left, party(5, 3))).
initial_state(four,  river(4, 4, left, party(4, 2))).

final_state(river(0, 0, right, _)).

% cross(M, C): M missionaries and C cannibals go over to the other bank.
rule(cross(M, C), 1, river(M1, C1, Bank1, Party), river(M2, C2, Bank2, Party)) :-
    Party = party(N, Seats),
    boat_load(Seats, M, C),
    crossing(Bank1, Bank2, Sign),
    M2 is M1 + Sign * M,
    C2 is C1 + Sign * C,
    safe(M2, C2, N).

crossing(left, right, -1).
crossing(right, left, 1).

% Somebody must row, and there are so many seats.
boat_load(Seats, M, C) :-
    between(0, Seats, M),
    Room is Seats - M,
    between(0, Room, C),
    M + C >= 1.

safe(M, C, N) :-
    between(0, N, M),
    between(0, N, C),
    bank_safe(M, C),
    MRight is N - M,
    CRight is N - C,
    bank_safe(MRight, CRight).

bank_safe(0, _) :- !.
bank_safe(M, C) :- M >= C.

% With the boat here, a crossing and a return take Seats - 1 over at most.
heuristic(river(M, C, Bank, party(_, Seats)), H) :-
    Waiting is M + C,
    crossings(Bank, Waiting, Seats, H).

crossings(right, 0, _, 0) :- !.
crossings(right, Waiting, Seats, H) :- !,
    Here is Waiting + 1,
    crossings(left, Here, Seats, H0),
    H is H0 + 1.
crossings(left, Waiting, Seats, 1) :- Waiting =< Seats, !.
crossings(left, Waiting, Seats, H) :-
    Rest is Waiting - Seats,
    Gain is Seats - 1,
    H is 1 + 2 * ((Rest + Gain - 1) // Gain).

print_state(river(M, C, Bank, party(N, _))) :-
    MRight is N - M,
    CRight is N - C,
    letters(M, m), letters(C, c),
    print_boat(Bank),
    letters(MRight, m), letters(CRight, c),
    nl.

print_boat(left)  :- write(' <__>~~~~~~ ').
print_boat(right) :- write(' ~~~~~~<__> ').

letters(N, Letter) :-
    forall(between(1, N, _), write(Letter)).
