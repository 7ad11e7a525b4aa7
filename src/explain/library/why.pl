% why.pl: explanations.

%! why(:Goal)
%  Goal is true; the proof of each answer is shown under it.
%  ?- assertz(p(1)), why(p(X)).
%  X = 1.
why(Goal) :-
    (   '$is_constrained'(Goal)
    ->  copy_term(Goal, Answer),
        call(Answer),
        '$why_constrained'(Goal, Answer),
        Goal = Answer
    ;   '$is_told'(Goal)
    ->  (   call(Goal)
        *-> '$why_tell'(Goal)
        ;   '$why_from'(1, Goal)
        )
    ;   '$why_from'(1, Goal)
    ).

'$why_from'(N, Goal) :-
    '$why'(N, Goal, Answer, More),
    (   More == false
    ->  Goal = Answer
    ;   Goal = Answer
    ;   N1 is N + 1,
        '$why_from'(N1, Goal)
    ).

%! why_not(:Goal)
%  True always; what stands in the way of Goal is shown under the answer.
why_not(Goal) :-
    '$why_not'(Goal).

%! plan(+Moves)
%  The moves lead from an initial state to a final one; in a game, each can be made
%  when its turn comes.  why_not(plan(Moves)) shows the first that can't.
plan(Moves) :-
    must_be(list, Moves),
    '$plan_start'(Who, S),
    '$plan'(Moves, Who, S).

%! plan(+S, +Moves)
%  The same from the state S.
plan(S, Moves) :-
    must_be(list, Moves),
    '$plan_start'(Who, S),
    '$plan'(Moves, Who, S).

'$plan'([], Who, S) :-
    '$plan_end'(Who, S).
'$plan'([Move|Moves], Who, S) :-
    '$plan_goal'(Who, Move, S, S1, Goal),
    call(Goal),
    '$plan_next'(Who, S1, Who1),
    '$plan'(Moves, Who1, S1).

% Who moves: nobody in a puzzle, player(J) in a game.
'$plan_start'(Who, S) :-
    (   '$contract'(rule, 4)
    ->  Who = nobody,
        ( nonvar(S) -> true ; '$initial_state'(S) )
    ;   Who = player(J),
        '$game_start'(J, S)
    ).

'$plan_goal'(nobody, Move, S, S1, rule(Move, _, S, S1)).
'$plan_goal'(player(J), Move, S, S1, Goal) :-
    (   '$contract'(move, 4)
    ->  Goal = move(J, Move, S, S1)
    ;   Goal = move(Move, S, S1)
    ).

'$plan_next'(nobody, _, nobody).
'$plan_next'(player(J), S, player(A)) :-
    (   '$contract'(to_move, 2)
    ->  call(to_move(S, A))
    ;   '$contract'(opponent, 2)
    ->  call(opponent(J, A))
    ;   A = J
    ).

'$plan_end'(nobody, S) :-
    call(final_state(S)).
'$plan_end'(player(_), _).

% '$plan_trouble'(S, Moves, Trouble): what is wrong with a plan, all states that it may
% come to considered: illegal(N, Move, Goal, State, Others), not_final(Goal, State),
% no_start, or none.
'$plan_trouble'(S, Moves, Trouble) :-
    must_be(list, Moves),
    findall(Who-S, '$plan_start'(Who, S), States),
    (   States == []
    ->  Trouble = no_start
    ;   '$plan_follow'(Moves, 1, States, Trouble)
    ).

'$plan_follow'([], _, States, Trouble) :-
    (   member(Who-S, States),
        '$plan_end'(Who, S)
    ->  Trouble = none
    ;   States = [_-S|_],
        Trouble = not_final(final_state(S), S)
    ).
'$plan_follow'([Move|Moves], N, States, Trouble) :-
    findall(Who1-S1, '$plan_move'(States, Move, Who1, S1), Next0),
    (   Next0 == []
    ->  States = [Who-S|_],
        '$plan_goal'(Who, Move, S, _, Goal),
        findall(Other, '$plan_move'([Who-S], Other, _, _), Others0),
        list_to_set(Others0, Others),
        Trouble = illegal(N, Move, Goal, S, Others)
    ;   list_to_set(Next0, Next1),
        '$plan_few'(Next1, Next),
        N1 is N + 1,
        '$plan_follow'(Moves, N1, Next, Trouble)
    ).

'$plan_move'(States, Move, Who1, S1) :-
    member(Who-S, States),
    '$plan_goal'(Who, Move, S, S1, Goal),
    % An error is told when the goal itself is explained.
    catch(Goal, _, fail),
    '$plan_next'(Who, S1, Who1).

% No more than a hundred states are followed.
'$plan_few'(States, Few) :-
    (   length(Few, 100),
        append(Few, _, States)
    ->  true
    ;   Few = States
    ).

% '$plan_reached'(S, Found): what can be reached from a puzzle's starts, breadth first:
% final, if a final state is among it; else states(All, How), where How is all, or some after
% a thousand states.
'$plan_reached'(S, Found) :-
    findall(S, '$plan_start'(nobody, S), Starts),
    Starts = [_|_],
    empty_assoc(Seen),
    '$plan_spread'(Starts, Seen, 1000, States, How),
    (   member(Final, States),
        catch(call(final_state(Final)), _, fail)
    ->  Found = final
    ;   Found = states(States, How)
    ).

'$plan_spread'(Layer, Seen0, Left0, States, How) :-
    '$plan_new'(Layer, Seen0, Seen, Left0, Left, New),
    (   New == []
    ->  States = [],
        (   Left =:= 0
        ->  How = some
        ;   How = all
        )
    ;   append(New, More, States),
        findall(S1, '$plan_move'(New, S1), Next),
        '$plan_spread'(Next, Seen, Left, More, How)
    ).

'$plan_move'(States, S1) :-
    member(S, States),
    catch(call(rule(_, _, S, S1)), _, fail).

'$plan_new'([], Seen, Seen, Left, Left, []).
'$plan_new'([S|States], Seen0, Seen, Left0, Left, New) :-
    (   Left0 =:= 0
    ->  Seen = Seen0,
        Left = Left0,
        New = []
    ;   copy_term_nat(S, Key),
        numbervars(Key, 0, _),
        (   get_assoc(Key, Seen0, _)
        ->  '$plan_new'(States, Seen0, Seen, Left0, Left, New)
        ;   put_assoc(Key, Seen0, true, Seen1),
            Left1 is Left0 - 1,
            New = [S|New1],
            '$plan_new'(States, Seen1, Seen, Left1, Left, New1)
        )
    ).
