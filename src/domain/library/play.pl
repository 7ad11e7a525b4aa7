% play.pl: why a position is won, lost or drawn, and why it is not.

% '$play_goal'(Goal, J, S, What): Goal says what exact play comes to for J in S.
'$play_goal'(winning(J, S), J, S, won).
'$play_goal'(losing(J, S), J, S, lost).
'$play_goal'(drawn(J, S), J, S, drawn).

% '$why_told'(Goal): Goal is one that '$why_tell'/1 explains when it is true.
'$why_told'(Goal) :-
    nonvar(Goal),
    '$play_goal'(Goal, _, _, _),
    functor(Goal, Name, Arity),
    \+ '$contract'(Name, Arity),
    \+ '$at_once'.

% '$why_tell'(Goal): what there is to say of why Goal is true, which is kept.
'$why_tell'(Goal) :-
    '$play_goal'(Goal, J, S, What),
    '$play_words'(J, S, What, Title, Notes),
    '$explained'(Title, Notes).

'$play_at_once'('all players choose at once: nobody wins or loses by moves alone', [Note]) :-
    Note = '`nash(Strategies, Values)` has an equilibrium, `solve_game(J, S, Value)` what a position is worth to each player'.

% '$play_words'(J, S, What, Title, Notes): how the position S, in which J is to move, compares
% with What, which is won, lost or drawn.
'$play_words'(J, S, What, Title, Notes) :-
    '$play_mover'(J, S, Mover),
    '$play_worth'(Mover, S, J, Worth),
    '$contrast_short'(J, Player),
    '$play_worth_text'(Worth, Text),
    (   '$play_over'(Mover, S)
    ->  format(atom(Title), "the game is over; it is worth ~w", [Text]),
        Notes = []
    ;   Mover == chance
    ->  format(atom(Title), "it is not ~w who moves but `chance`; the position is worth ~w on the mean",
               [Player, Text]),
        findall(Note, '$play_outcome'(J, S, Note), Notes)
    ;   '$contract'(probability, 3)
    ->  '$play_is'(Mover, S, Is),
        '$play_mean_title'(Is, What, Player, Text, Title),
        findall(Note, '$play_mean'(J, S, Note), Notes)
    ;   '$play_is'(Mover, S, Is),
        '$play_title'(Is, What, Player, Text, Title),
        '$play_notes'(Is, What, J, S, Notes)
    ).

% Who moves in S: the state says it, or it is J's turn.
'$play_mover'(J, S, Mover) :-
    (   '$contract'(to_move, 2)
    ->  once(call(to_move(S, Mover)))
    ;   Mover = J
    ).

% The game is over in S, whose moves are Mover's.
'$play_over'(Mover, S) :-
    (   Mover == chance
    ->  (   '$contract'(terminal, 2)
        ->  \+ \+ call(terminal(_, S))
        ;   '$contract'(terminal, 1),
            call(terminal(S))
        )
    ;   '$solved'(Mover, S, true, _, none, _)
    ).

% '$play_worth'(Mover, S, J, Value-Player): the exact value of S to J or, where only that is
% known, to Mover.
'$play_worth'(Mover, S, J, Worth) :-
    '$solved'(Mover, S, true, Value, _, _),
    (   is_list(Value)
    ->  (   member(Player-Own, Value),
            Player == J
        ->  Worth = Own-J
        ;   Worth = Value-all
        )
    ;   Worth = Value-Mover
    ).

'$play_worth_text'(Value-Player, Text) :-
    (   Player == all
    ->  format(atom(Text), "~q", [Value])
    ;   '$contrast_short'(Player, Name),
        format(atom(Text), "~w to ~w", [Value, Name])
    ).

% '$play_is'(J, S, Is): S is won, lost or drawn for J, or open where utilities do not say it.
'$play_is'(J, S, Is) :-
    (   catch('$solved'(J, S, judge, Value, _, _), error(_, _), fail)
    ->  (   Value > 0
        ->  Is = won
        ;   Value < 0
        ->  Is = lost
        ;   Is = drawn
        )
    ;   Is = open
    ).

'$play_title'(Is, What, Player, Text, Title) :-
    (   Is == What
    ->  '$play_true'(Is, Format)
    ;   '$play_false'(Is, What, Format)
    ),
    format(atom(Title), Format, [Player, Text]).

'$play_true'(won, "~w wins; the position is worth ~w").
'$play_true'(lost, "~w loses, whatever it does; the position is worth ~w").
'$play_true'(drawn, "~w comes to a draw at best; the position is worth ~w").

'$play_false'(lost, _, "~w loses, whatever it does; the position is worth ~w").
'$play_false'(drawn, won, "~w can't win: the position is worth ~w").
'$play_false'(drawn, lost, "~w does not lose: the position is worth ~w").
'$play_false'(won, _, "~w wins: the position is worth ~w").
'$play_false'(open, _, "for ~w the position is worth ~w").

'$play_mean_title'(Is, What, Player, Text, Title) :-
    (   Is == What
    ->  '$play_mean_words'(Is, Words)
    ;   '$play_mean_not'(What, Words)
    ),
    format(atom(Title), "~w ~w: the position is worth ~w", [Player, Words, Text]).

'$play_mean_words'(won, 'wins more than it loses on the mean').
'$play_mean_words'(lost, 'loses more than it wins on the mean').
'$play_mean_words'(drawn, 'wins as much as it loses on the mean').

'$play_mean_not'(won, 'does not win on the mean').
'$play_mean_not'(lost, 'does not lose on the mean').
'$play_mean_not'(drawn, 'does not come out even on the mean').

% A position that is won has a move to show, any other one what each move is answered by.
'$play_notes'(won, _, J, S, [Note]) :- !,
    '$play_line'(J, S, won, 12, Texts),
    atomic_list_concat(Texts, ', ', Line),
    '$contrast_short'(J, Player),
    (   game_length(J, S, N)
    ->  format(atom(Note), "the soonest win of ~w, after ~D moves of both: ~w", [Player, N, Line])
    ;   format(atom(Note), "~w wins by: ~w", [Player, Line])
    ).
'$play_notes'(drawn, lost, J, S, [Note]) :- !,
    best_move(J, S, Move),
    '$contrast_short'(Move, Text),
    format(atom(Note), "~w keeps the draw", [Text]).
'$play_notes'(_, _, J, S, Notes) :-
    findall(Note, '$play_answer'(J, S, Note), Notes).

% A line from S in which J reaches what S is for it.
'$play_line'(J, S, Is, Left, Texts) :-
    (   '$play_best'(J, S, Is, Move, S1, A)
    ->  (   Left =:= 0
        ->  Texts = ['…']
        ;   '$contrast_short'(Move, Text),
            Texts = [Text|Texts1],
            '$play_is'(A, S1, Is1),
            Left1 is Left - 1,
            '$play_line'(A, S1, Is1, Left1, Texts1)
        )
    ;   Texts = []
    ).

% '$play_child'(J, S, Move, S1, A): a move of J, to a state in which A moves.
'$play_child'(J, S, Move, S1, A) :-
    '$plan_goal'(player(J), Move, S, S1, Goal),
    call(Goal),
    once('$plan_next'(player(J), S1, player(A))).

% '$play_best'(J, S, Is, Move, S1, A): a best move of J in S, which is won, lost or drawn for it:
% the one that wins soonest, or loses latest.  Of moves that are worth the same the same player
% moves next and gets the same.
'$play_best'(J, S, Is, Move, S1, A) :-
    best_move(J, S, Best),
    '$play_child'(J, S, Best, S0, A), !,
    (   memberchk(Is, [won, lost]),
        '$solved'(A, S0, false, Value, _, Length0),
        integer(Length0)
    ->  findall(Length-to(M, S2),
                ( '$play_child'(J, S, M, S2, A2),
                  A2 == A,
                  '$solved'(A2, S2, false, Value2, _, Length),
                  integer(Length),
                  Value2 =:= Value ),
                All),
        foldl('$play_better'(Is), All, Length0-to(Best, S0), _-to(Move, S1))
    ;   Move = Best,
        S1 = S0
    ).

'$play_better'(Is, N-To, N0-To0, Best) :-
    (   ( Is == won, N < N0 ; Is == lost, N > N0 )
    ->  Best = N-To
    ;   Best = N0-To0
    ).

% '$play_answer'(J, S, Note): a move of J in S, with its best answer.
'$play_answer'(J, S, Note) :-
    '$play_child'(J, S, Move, S1, A),
    '$play_worth'(A, S1, J, Worth),
    '$play_worth_text'(Worth, Text),
    '$contrast_short'(Move, MoveText),
    (   '$play_over'(A, S1)
    ->  format(atom(Note), "~w ends the game, worth ~w", [MoveText, Text])
    ;   '$play_is'(A, S1, Is),
        '$play_best'(A, S1, Is, Answer, _, _)
    ->  '$contrast_short'(Answer, AnswerText),
        '$contrast_short'(A, Player),
        format(atom(Note), "~w: ~w answers ~w, worth ~w", [MoveText, Player, AnswerText, Text])
    ;   format(atom(Note), "~w: worth ~w", [MoveText, Text])
    ).

% '$play_mean'(J, S, Note): what a move of J in S is worth where chance moves too.
'$play_mean'(J, S, Note) :-
    '$play_child'(J, S, Move, S1, A),
    '$contrast_short'(Move, MoveText),
    '$play_worth'(A, S1, J, Worth),
    '$play_worth_text'(Worth, Text),
    (   '$play_over'(A, S1)
    ->  format(atom(Note), "~w ends the game, worth ~w", [MoveText, Text])
    ;   '$contrast_short'(A, Player),
        format(atom(Note), "~w: then ~w moves; worth ~w on the mean", [MoveText, Player, Text])
    ).

% '$play_outcome'(J, S, Note): what chance may do in S, and what that is worth.
'$play_outcome'(J, S, Note) :-
    '$play_child'(chance, S, Move, S1, A),
    '$contrast_short'(Move, MoveText),
    (   '$contract'(probability, 3),
        call(probability(Move, S, P))
    ->  format(atom(Likely), " (probability ~w)", [P])
    ;   Likely = ''
    ),
    '$play_worth'(A, S1, J, Worth),
    '$play_worth_text'(Worth, Text),
    format(atom(Note), "~w~w: worth ~w", [MoveText, Likely, Text]).
