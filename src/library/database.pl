% database.pl: clauses as data (ISO 13211-1, 8.8 and 8.9).

%! clause(:Head, ?Body)
%  Each clause whose head and body unify with Head and Body.
%  ?- clause(append([], L, L), B).
%  B = true.
clause(Head, Body) :-
    '$clause_refs'(Head, Body, access, Refs),
    '$clause'(Refs, Head, Body).

'$clause'([Ref|Refs], Head, Body) :-
    '$clause'(Refs, Ref, Head, Body).

'$clause'([], Ref, Head, Body) :-
    '$clause_unify'(Ref, Head, Body).
'$clause'([_|_], Ref, Head, Body) :-
    '$clause_unify'(Ref, Head, Body).
'$clause'([Ref|Refs], _, Head, Body) :-
    '$clause'(Refs, Ref, Head, Body).

%! retract(:Clause)
%  Removes the first clause that unifies with Clause; on backtracking the next.
%  ?- assertz(p(1)), retract(p(X)).
%  X = 1.
retract(Clause) :-
    '$head_body'(Clause, Head, Body),
    '$clause_refs'(Head, Body, modify, Refs),
    '$retract'(Refs, Head, Body).

'$retract'([Ref|Refs], Head, Body) :-
    '$retract'(Refs, Ref, Head, Body).

'$retract'([], Ref, Head, Body) :-
    '$clause_unify'(Ref, Head, Body),
    '$erase'(Ref).
'$retract'([_|_], Ref, Head, Body) :-
    '$clause_unify'(Ref, Head, Body),
    '$erase'(Ref).
'$retract'([Ref|Refs], _, Head, Body) :-
    '$retract'(Refs, Ref, Head, Body).

'$head_body'(Clause, Head, Body) :-
    (   var(Clause)
    ->  instantiation_error(Clause)
    ;   Clause = (Head0 :- Body0)
    ->  Head = Head0, Body = Body0
    ;   Head = Clause, Body = true
    ).

%! current_predicate(?Indicator)
%  Indicator, Name/Arity, is a predicate of the program with clauses.
%  ?- assertz(p(1)), current_predicate(p/N).
%  N = 1.
current_predicate(Indicator) :-
    '$current_predicates'(Indicator, List),
    member(Indicator, List).

%! current_predicate(?Name, :Head)
%  Head is the most general goal of a predicate of the program.
%  ?- assertz(p(1)), current_predicate(p, H).
%  H = p(_).
current_predicate(Name, Head) :-
    (   nonvar(Head), Head \= _:_
    ->  functor(Head, Name, Arity),
        '$current_predicates'(Name/Arity, [_|_])
    ;   '$current_predicates'(Name/_, List),
        member(Name/Arity, List),
        functor(Head, Name, Arity)
    ).

%! predicate_property(:Head, ?Property)
%  Property is one of built_in, defined, dynamic, static, number_of_clauses(N).
%  ?- predicate_property(append(_,_,_), defined).
%  true.
predicate_property(Head, Property) :-
    (   nonvar(Head)
    ->  '$predicate_properties'(Head, Properties),
        member(Property, Properties)
    ;   '$current_predicates'(_, List),
        member(Name/Arity, List),
        functor(Head, Name, Arity),
        '$predicate_properties'(Head, Properties),
        member(Property, Properties)
    ).

%! listing
%  Writes the clauses of the program.
listing :-
    '$current_predicates'(_, List),
    '$listing'(List).

%! listing(:Spec)
%  Writes the clauses of a predicate given as Name, Name/Arity or a list of these.
%  ?- assertz(p(1)), listing(p/1).
listing(Spec) :-
    (   var(Spec)
    ->  instantiation_error(Spec)
    ;   Spec == []
    ->  true
    ;   Spec = [First|Rest]
    ->  listing(First), listing(Rest)
    ;   Spec = Name/Arity
    ->  '$current_predicates'(Name/Arity, List),
        '$listing_found'(List, Spec)
    ;   '$current_predicates'(Spec/_, List),
        '$listing_found'(List, Spec)
    ).

'$listing_found'(List, Spec) :-
    (   List == []
    ->  existence_error(procedure, Spec)
    ;   '$listing'(List)
    ).

'$listing'([]).
'$listing'([Name/Arity|Rest]) :-
    functor(Head, Name, Arity),
    (   predicate_property(Head, dynamic)
    ->  format(":- dynamic ~q.~n~n", [Name/Arity])
    ;   true
    ),
    '$listing_clauses'(Head),
    nl,
    '$listing'(Rest).

'$listing_clauses'(Head) :-
    clause(Head, Body),
    (   Body == true
    ->  portray_clause(Head)
    ;   portray_clause((Head :- Body))
    ),
    fail.
'$listing_clauses'(_).
