% What the tests ask of constraints, without what finds reasons: solutions, by labelling within wide bounds and by trying
% all values of a few variables.
:- use_module(library(clpfd)).

% Goals have a solution: where a variable has no bounds it is looked for next to 0, or to its one bound.
possible(Goals) :-
    catch(solved(Goals), error(instantiation_error, _), solved_near_zero(Goals)).

solved(Goals) :-
    posted(Goals),
    term_variables(Goals, Vars),
    % The one that is bounded first may leave another one far from it.
    (   bounded(Vars)
    ;   reverse(Vars, Back),
        bounded(Back)
    ),
    once(labeling([ff], Vars)),
    !.

% Some constraints have to know bounds.
solved_near_zero(Goals) :-
    term_variables(Goals, Vars),
    Vars ins -50..50,
    solved(Goals).

posted([]).
posted([Goal|Goals]) :-
    call(Goal),
    posted(Goals).

bounded([]).
bounded([X|Xs]) :-
    fd_inf(X, Lo),
    fd_sup(X, Hi),
    between_bounds(Lo, Hi, X),
    bounded(Xs).

between_bounds(Lo, Hi, X) :-
    (   integer(Lo), integer(Hi)
    ->  true
    ;   integer(Lo)
    ->  Most is Lo + 400,
        X #=< Most
    ;   integer(Hi)
    ->  Least is Hi - 400,
        X #>= Least
    ;   X in -200..200
    ).

% Some values from Lo to Hi make all goals true.
tried(Lo, Hi, Goals) :-
    term_variables(Goals, Vars),
    valued(Vars, Lo, Hi),
    all_true(Goals),
    !.

valued([], _, _).
valued([X|Xs], Lo, Hi) :-
    between(Lo, Hi, X),
    valued(Xs, Lo, Hi).

all_true([]).
all_true([Goal|Goals]) :-
    is_true(Goal),
    all_true(Goals).

is_true(X #= Y) :- A is X, B is Y, A =:= B.
is_true(X #\= Y) :- A is X, B is Y, A =\= B.
is_true(X #< Y) :- A is X, B is Y, A < B.
is_true(X #=< Y) :- A is X, B is Y, A =< B.
is_true(X #> Y) :- A is X, B is Y, A > B.
is_true(X #>= Y) :- A is X, B is Y, A >= B.
is_true(X in S) :- is_in(S, X).
is_true(#\ P) :- truth(P, 0).
is_true(P #\/ Q) :- truth(P, A), truth(Q, B), A + B > 0.
is_true(P #/\ Q) :- truth(P, 1), truth(Q, 1).
is_true(P #\ Q) :- truth(P, A), truth(Q, B), A =\= B.
is_true(P #==> Q) :- truth(P, A), truth(Q, B), A =< B.
is_true(P #<==> Q) :- truth(P, A), truth(Q, A).
is_true(1).
is_true(all_different(Xs)) :- sort(Xs, Ys), length(Xs, N), length(Ys, N).
is_true(all_distinct(Xs)) :- is_true(all_different(Xs)).
is_true(sum(Xs, R, Y)) :- sum_list(Xs, X), G =.. [R, X, Y], is_true(G).

truth(P, Value) :-
    (   integer(P)
    ->  memberchk(P, [0,1]),
        Value = P
    ;   is_true(P)
    ->  Value = 1
    ;   Value = 0
    ).

is_in(S \/ T, X) :- ( is_in(S, X) -> true ; is_in(T, X) ).
is_in(Lo..Hi, X) :- ( Lo == inf -> true ; X >= Lo ), ( Hi == sup -> true ; X =< Hi ).
is_in(N, X) :- integer(N), X =:= N.
