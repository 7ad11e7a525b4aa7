% why.pl: explanations.

%! why(:Goal)
%  Goal is true; the proof of each answer is shown under it.
%  ?- assertz(p(1)), why(p(X)).
%  X = 1.
why(Goal) :-
    '$why_from'(1, Goal).

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
