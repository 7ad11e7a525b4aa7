% yall.pl: lambda expressions, [X1,...,Xn]>>Goal.
%
% Each call works on a fresh copy of the expression, so that it can be called
% again and again.  Free/[X1,...]>>Goal shares the variables of Free with its
% surroundings.  \X^Goal makes X local.  Arguments beyond the parameters are
% added to Goal.

%! >>(+Parameters, :Lambda), >>(+Parameters, :Lambda, ?A1, ...)
%  Calls a lambda expression with up to seven arguments.
%  ?- maplist([X,Y]>>(Y is X*X), [1,2,3], L).
%  L = [1,4,9].
'>>'(Parameters, Lambda) :-
    '$lambda'(Parameters, Lambda, []).
'>>'(Parameters, Lambda, A1) :-
    '$lambda'(Parameters, Lambda, [A1]).
'>>'(Parameters, Lambda, A1, A2) :-
    '$lambda'(Parameters, Lambda, [A1, A2]).
'>>'(Parameters, Lambda, A1, A2, A3) :-
    '$lambda'(Parameters, Lambda, [A1, A2, A3]).
'>>'(Parameters, Lambda, A1, A2, A3, A4) :-
    '$lambda'(Parameters, Lambda, [A1, A2, A3, A4]).
'>>'(Parameters, Lambda, A1, A2, A3, A4, A5) :-
    '$lambda'(Parameters, Lambda, [A1, A2, A3, A4, A5]).
'>>'(Parameters, Lambda, A1, A2, A3, A4, A5, A6) :-
    '$lambda'(Parameters, Lambda, [A1, A2, A3, A4, A5, A6]).
'>>'(Parameters, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    '$lambda'(Parameters, Lambda, [A1, A2, A3, A4, A5, A6, A7]).

'$lambda'(Parameters, Lambda, Arguments) :-
    '$copy_lambda'(Parameters, Lambda, Parameters1, Lambda1),
    '$bind_parameters'(Parameters1, Arguments, Parameters>>Lambda, Rest),
    '$call_lambda'(Rest, Lambda1).

% A copy in which only the variables of Free are shared.
'$copy_lambda'(Parameters, Lambda, Parameters1, Lambda1) :-
    (   nonvar(Parameters),
        Parameters = Free/Local
    ->  copy_term_nat(Free/Local/Lambda, Free/Parameters1/Lambda1)
    ;   copy_term_nat(Parameters/Lambda, Parameters1/Lambda1)
    ).

'$bind_parameters'(Parameters, Arguments, Whole, Rest) :-
    (   nonvar(Parameters),
        Parameters = [P|Ps]
    ->  (   Arguments = [A|As]
        ->  P = A,
            '$bind_parameters'(Ps, As, Whole, Rest)
        ;   domain_error(lambda_parameters, Whole)
        )
    ;   Parameters == []
    ->  Rest = Arguments
    ;   var(Parameters)
    ->  instantiation_error(Parameters)
    ;   type_error(lambda_parameters, Parameters)
    ).

'$call_lambda'(Rest, Lambda) :-
    (   Rest == []
    ->  call(Lambda)
    ;   '$add_arguments'(Lambda, Rest, Goal),
        call(Goal)
    ).

'$add_arguments'(Goal0, Arguments, Goal) :-
    (   var(Goal0)
    ->  instantiation_error(Goal0)
    ;   Goal0 = Module:Goal1
    ->  Goal = Module:Goal2,
        '$add_arguments'(Goal1, Arguments, Goal2)
    ;   Goal0 =.. Parts0,
        append(Parts0, Arguments, Parts),
        Goal =.. Parts
    ).

%! /(+Free, :Lambda), /(+Free, :Lambda, ?A1, ...)
%  A lambda expression with shared variables and no parameters of its own.
%  ?- F = 3, maplist(F/[X,Y]>>(Y is X*F), [1,2], L).
%  L = [3,6].
'/'(Free, Lambda) :-
    '$free_lambda'(Free, Lambda, []).
'/'(Free, Lambda, A1) :-
    '$free_lambda'(Free, Lambda, [A1]).
'/'(Free, Lambda, A1, A2) :-
    '$free_lambda'(Free, Lambda, [A1, A2]).
'/'(Free, Lambda, A1, A2, A3) :-
    '$free_lambda'(Free, Lambda, [A1, A2, A3]).
'/'(Free, Lambda, A1, A2, A3, A4) :-
    '$free_lambda'(Free, Lambda, [A1, A2, A3, A4]).
'/'(Free, Lambda, A1, A2, A3, A4, A5) :-
    '$free_lambda'(Free, Lambda, [A1, A2, A3, A4, A5]).
'/'(Free, Lambda, A1, A2, A3, A4, A5, A6) :-
    '$free_lambda'(Free, Lambda, [A1, A2, A3, A4, A5, A6]).
'/'(Free, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    '$free_lambda'(Free, Lambda, [A1, A2, A3, A4, A5, A6, A7]).

'$free_lambda'(Free, Lambda, Arguments) :-
    copy_term_nat(Free/Lambda, Free/Lambda1),
    (   nonvar(Lambda1),
        Lambda1 = (Parameters>>Body)
    ->  '$bind_parameters'(Parameters, Arguments, Lambda1, Rest),
        '$call_lambda'(Rest, Body)
    ;   '$call_lambda'(Arguments, Lambda1)
    ).

%! \(+Lambda, ?A1, ...)
%  \X^Goal: X stands for the first argument and is local to the expression.
%  ?- maplist(\X^Y^(Y is X+1), [1,2], L).
%  L = [2,3].
'\\'(Lambda, A1) :-
    '$local_lambda'(Lambda, [A1]).
'\\'(Lambda, A1, A2) :-
    '$local_lambda'(Lambda, [A1, A2]).
'\\'(Lambda, A1, A2, A3) :-
    '$local_lambda'(Lambda, [A1, A2, A3]).
'\\'(Lambda, A1, A2, A3, A4) :-
    '$local_lambda'(Lambda, [A1, A2, A3, A4]).
'\\'(Lambda, A1, A2, A3, A4, A5) :-
    '$local_lambda'(Lambda, [A1, A2, A3, A4, A5]).
'\\'(Lambda, A1, A2, A3, A4, A5, A6) :-
    '$local_lambda'(Lambda, [A1, A2, A3, A4, A5, A6]).
'\\'(Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    '$local_lambda'(Lambda, [A1, A2, A3, A4, A5, A6, A7]).

'$local_lambda'(Lambda0, Arguments) :-
    copy_term_nat(Lambda0, Lambda),
    '$bind_carets'(Arguments, Lambda).

%! ^(?V, :Goal, ?A1, ...)
%  V^Goal called with arguments: V is the first of them.
%  ?- call(X^(Y = X), a).
%  X = a, Y = a.
'^'(V, Goal, A1) :-
    '$bind_carets'([A1], V^Goal).
'^'(V, Goal, A1, A2) :-
    '$bind_carets'([A1, A2], V^Goal).
'^'(V, Goal, A1, A2, A3) :-
    '$bind_carets'([A1, A2, A3], V^Goal).
'^'(V, Goal, A1, A2, A3, A4) :-
    '$bind_carets'([A1, A2, A3, A4], V^Goal).
'^'(V, Goal, A1, A2, A3, A4, A5) :-
    '$bind_carets'([A1, A2, A3, A4, A5], V^Goal).
'^'(V, Goal, A1, A2, A3, A4, A5, A6) :-
    '$bind_carets'([A1, A2, A3, A4, A5, A6], V^Goal).
'^'(V, Goal, A1, A2, A3, A4, A5, A6, A7) :-
    '$bind_carets'([A1, A2, A3, A4, A5, A6, A7], V^Goal).

'$bind_carets'([], Goal) :-
    call(Goal).
'$bind_carets'([A|As], Lambda) :-
    (   nonvar(Lambda),
        Lambda = V^Goal
    ->  V = A,
        '$bind_carets'(As, Goal)
    ;   nonvar(Lambda),
        Lambda = \Inner
    ->  '$local_lambda'(Inner, [A|As])
    ;   '$call_lambda'([A|As], Lambda)
    ).
