% The wolf, the goat and the cabbage.
%
% A farmer takes the three across a river in a boat that has room for one of
% them beside himself.  Left alone, the wolf eats the goat and the goat eats the
% cabbage.  From Alcuin of York, "Propositiones ad acuendos iuvenes", about 800.
%
% A state is state(Farmer, Wolf, Goat, Cabbage): the bank on which each one is,
% left or right.
%
% Instances and their shortest solutions:
%
%     alcuin  7 crossings          late  6 crossings (the goat is already over)
%
% Things to try: there are two shortest solutions, print both; add a rule that
% the farmer may also stay where he is, and see that nothing changes.

initial_state(alcuin, state(left, left, left, left)).
initial_state(late,   state(right, left, right, left)).

final_state(state(right, right, right, right)).

rule(alone, 1, state(F1, W, G, C), S2) :-
    opposite(F1, F2),
    S2 = state(F2, W, G, C),
    safe(S2).
rule(with_wolf, 1, state(F1, F1, G, C), S2) :-
    opposite(F1, F2),
    S2 = state(F2, F2, G, C),
    safe(S2).
rule(with_goat, 1, state(F1, W, F1, C), S2) :-
    opposite(F1, F2),
    S2 = state(F2, W, F2, C),
    safe(S2).
rule(with_cabbage, 1, state(F1, W, G, F1), S2) :-
    opposite(F1, F2),
    S2 = state(F2, W, G, F2),
    safe(S2).

opposite(left, right).
opposite(right, left).

safe(State) :-
    \+ eaten(State).

% The farmer keeps the peace where he is.
eaten(state(Farmer, Bank, Bank, _)) :- Farmer \== Bank.    % the goat
eaten(state(Farmer, _, Bank, Bank)) :- Farmer \== Bank.    % the cabbage

% Each crossing brings one passenger over at most, and the farmer must come back
% for each but the last.
heuristic(state(F, W, G, C), H) :-
    findall(x, member(left, [W, G, C]), Waiting),
    length(Waiting, N),
    crossings(N, F, H).

crossings(0, right, 0) :- !.
crossings(0, left,  1) :- !.
crossings(N, left,  H) :- !, H is 2 * N - 1.
crossings(N, right, H) :- H is 2 * N.

print_state(state(F, W, G, C)) :-
    print_bank(left, F, W, G, C),
    write(' ~~~~~~ '),
    print_bank(right, F, W, G, C),
    nl.

print_bank(Bank, F, W, G, C) :-
    print_at(Bank, F, 'F'),
    print_at(Bank, W, w),
    print_at(Bank, G, g),
    print_at(Bank, C, c).

print_at(Bank, Bank, Letter) :- !, write(Letter).
print_at(_, _, _) :- write('.').

% `zug test rules/wolf.pl` runs these.

:- begin_tests(wolf).

test(first_move, all(Move == [with_goat])) :-
    initial_state(alcuin, S),
    rule(Move, _, S, _).
test(farmer_keeps_the_peace, fail) :-
    eaten(state(left, left, left, left)).
test(goat_left_with_wolf, nondet) :-
    eaten(state(right, left, left, right)).
test(estimate, [forall(member(case(N, Bank, H), [case(3, left, 5), case(1, right, 2)])), E =:= H]) :-
    crossings(N, Bank, E).
test(shortest, Cost =:= 7) :-
    initial_state(alcuin, S),
    astar(S, _, Cost).

:- end_tests(wolf).
