% prolog_code.pl: heads, indicators, conjunctions (library(prolog_code)).

%! comma_list(?Conjunction, ?List), semicolon_list(?Disjunction, ?List)
%  The goals of a conjunction or disjunction, as a list.
%  ?- comma_list((a,b,c), L).
%  L = [a,b,c].
comma_list(Conjunction, List) :-
    '$connected_list'(Conjunction, (','), List).

semicolon_list(Disjunction, List) :-
    '$connected_list'(Disjunction, (;), List).

'$connected_list'(Body, Name, List) :-
    (   nonvar(Body)
    ->  '$connected_goals'(Body, Name, List, [])
    ;   is_list(List)
    ->  '$list_connected'(List, Name, Body)
    ;   instantiation_error(Body)
    ).

'$connected_goals'(Body, Name, List, Tail) :-
    (   nonvar(Body),
        Body =.. [Name,Left,Right]
    ->  '$connected_goals'(Left, Name, List, List1),
        '$connected_goals'(Right, Name, List1, Tail)
    ;   List = [Body|Tail]
    ).

'$list_connected'([Last], _, Last) :- !.
'$list_connected'([Goal|Goals], Name, Body) :-
    Body =.. [Name,Goal,Rest],
    '$list_connected'(Goals, Name, Rest).

%! mkconj(+A, +B, -Conjunction), mkdisj(+A, +B, -Disjunction)
%  (A, B) or (A ; B), simpler where one of them is true or false.
%  ?- mkconj(true, b, C).
%  C = b.
mkconj(A, B, Conjunction) :-
    (   A == true
    ->  Conjunction = B
    ;   B == true
    ->  Conjunction = A
    ;   Conjunction = (A, B)
    ).

mkdisj(A, B, Disjunction) :-
    (   ( A == false ; A == fail )
    ->  Disjunction = B
    ;   ( B == false ; B == fail )
    ->  Disjunction = A
    ;   Disjunction = (A ; B)
    ).

%! pi_head(?Indicator, ?Head)
%  Head is the most general goal of the predicate Name/Arity, or Name//Arity.
%  ?- pi_head(P, f(_,_)).
%  P = f/2.
pi_head(Indicator, Head) :-
    (   nonvar(Head)
    ->  (   Head = Module:Plain
        ->  Indicator = Module:PlainIndicator,
            pi_head(PlainIndicator, Plain)
        ;   functor(Head, Name, Arity),
            Indicator = Name/Arity
        )
    ;   Indicator = Module:PlainIndicator
    ->  Head = Module:Plain,
        pi_head(PlainIndicator, Plain)
    ;   Indicator = Name//Arity0
    ->  Arity is Arity0+2,
        functor(Head, Name, Arity)
    ;   Indicator = Name/Arity,
        functor(Head, Name, Arity)
    ).

%! head_name_arity(?Head, ?Name, ?Arity)
%  As functor/3.
%  ?- head_name_arity(f(a), N, A).
%  A = 1, N = f.
head_name_arity(Head, Name, Arity) :-
    functor(Head, Name, Arity).

%! most_general_goal(+Goal, -General)
%  General has the name and arity of Goal, and variables for arguments.
%  ?- most_general_goal(f(a), G), G = f(x).
%  G = f(x).
most_general_goal(Goal, General) :-
    (   Goal = Module:Plain
    ->  General = Module:PlainGeneral,
        most_general_goal(Plain, PlainGeneral)
    ;   functor(Goal, Name, Arity),
        functor(General, Name, Arity)
    ).

%! extend_goal(+Goal0, +Arguments, -Goal)
%  Goal is Goal0 with more arguments behind its own.
%  ?- extend_goal(f(a), [b], G).
%  G = f(a,b).
extend_goal(Goal0, Arguments, Goal) :-
    (   Arguments == []
    ->  Goal = Goal0
    ;   Goal0 = Module:Plain0
    ->  Goal = Module:Plain,
        extend_goal(Plain0, Arguments, Plain)
    ;   Goal0 =.. Parts0,
        append(Parts0, Arguments, Parts),
        Goal =.. Parts
    ).

%! is_predicate_indicator(@Term)
%  Term is Name/Arity or Name//Arity, with a module or without.
%  ?- is_predicate_indicator(a/2).
%  true.
is_predicate_indicator(Term) :-
    nonvar(Term),
    (   Term = Module:Plain
    ->  atom(Module),
        is_predicate_indicator(Plain)
    ;   ( Term = Name/Arity ; Term = Name//Arity ),
        atom(Name),
        integer(Arity),
        Arity >= 0
    ->  true
    ).

%! is_control_goal(@Goal)
%  Goal is a control construct.
%  ?- is_control_goal((a,b)).
%  true.
is_control_goal(Goal) :-
    nonvar(Goal),
    memberchk(Goal, [(_,_), (_;_), (_->_), (_*->_), \+ _, !, true, fail, false]), !.
