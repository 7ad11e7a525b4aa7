% judge.pl: what engines and heuristics are worth, on the rules that are loaded.

%! compare, compare(+Options), compare(+Options, -Rows)
%  Has engines search side by side, with every heuristic from every instance, each
%  under limits of its own.  At the prompt the table stands under the answer.  A
%  row of a puzzle is
%
%      row(Engine, Heuristic, Instance, Outcome, Cost, Figures)
%
%  with `-` for what is not there; Outcome is solved, exhausted, stopped(Limit) or
%  error(Message); Figures lists moves(N), optimal(Proved), expanded(N),
%  generated(N), reopened(N), peak_open(N), memory(Bytes), time(Seconds) and
%  branching(B).  In a game the value stands in the place of the cost.
%  Options: engines(List), heuristics(List), instances(List), random(N), steps(K),
%  seed(S), and the limits and parameters of the engines.
compare :-
    compare([], _).
compare(Options) :-
    compare(Options, _).
compare(Options, Rows) :-
    '$compare'(Options, Rows).

%! check_heuristics, check_heuristics(-Report), check_heuristics(+Options, -Report)
%  Whether the heuristics are admissible and consistent.  Report has an element
%  Name-Facts for each; Facts lists admissible(A) and consistent(A), where A is
%  proved, violated, or not_refuted if only samples were looked at; states(N),
%  solved(N), mean(H), informed(Part); and for a violation
%
%      overestimates(State, H, Cost, Plan)    H is more than Plan costs
%      falls(S1, H1, Move, Cost, S2, H2)      H1 is more than Cost + H2
%
%  Options: heuristics(List), instances(List), limit(N), samples(N), steps(K),
%  seed(S), time(Seconds), memory(MB).
check_heuristics :-
    check_heuristics([], Report),
    forall(member(Name-Facts, Report), '$say_heuristic'(Name, Facts)).
check_heuristics(Report) :-
    check_heuristics([], Report).
check_heuristics(Options, Report) :-
    '$heuristics'(Options, Report).

'$say_heuristic'(Name, Facts) :-
    memberchk(admissible(A), Facts),
    memberchk(consistent(C), Facts),
    memberchk(states(N), Facts),
    format("~w: admissible: ~w, consistent: ~w; ~D states~n", [Name, A, C, N]),
    (   memberchk(overestimates(S, H, Cost, _), Facts)
    ->  format("  too much: ~w of ~q, where a plan costs ~w~n", [H, S, Cost])
    ;   true
    ),
    (   memberchk(falls(S1, H1, Move, K, S2, H2), Facts)
    ->  format("  falls too far: ~w of ~q, after ~q at cost ~w only ~w of ~q~n",
               [H1, S1, Move, K, H2, S2])
    ;   true
    ).
