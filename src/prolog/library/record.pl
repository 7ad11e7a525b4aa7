% record.pl: terms with named fields, from `:- record point(x:integer=0, y:integer=0).`
%
% The loader has the directive replaced by the clauses that '$record_clauses'/2 gives.

%! record(+Specification)
%  As a directive: Specification, Name(Field, ...), or several of them in a conjunction, defines predicates for terms
%  with these fields. A field is FieldName, FieldName:Type, FieldName=Default or FieldName:Type=Default. For `point(x:integer=0)`:
%  default_point/1, is_point/1, point_data/3, point_x/2, make_point/2,3, set_x_of_point/2,3,
%  nb_set_x_of_point/2, set_point_field/3, and set_point_fields/3,4.
record(Specification) :-
    throw(error(context_error(nodirective, record(Specification)), _)).

'$record_clauses'(Specification, Clauses) :-
    (   var(Specification)
    ->  instantiation_error(Specification)
    ;   Specification = (A, B)
    ->  '$record_clauses'(A, As),
        '$record_clauses'(B, Bs),
        append(As, Bs, Clauses)
    ;   compound(Specification)
    ->  Specification =.. [Name|Fields],
        maplist('$record_field', Fields, Names, Types, Defaults),
        '$record_of'(Name, Names, Types, Defaults, Clauses)
    ;   type_error(record_declaration, Specification)
    ).

'$record_field'(Field, Name, Type, Default) :-
    (   var(Field)
    ->  instantiation_error(Field)
    ;   Field = (Typed=Default)
    ->  '$record_typed'(Typed, Name, Type),
        must_be(Type, Default)
    ;   '$record_typed'(Field, Name, Type)
    ).

'$record_typed'(Typed, Name, Type) :-
    (   Typed = Name:Type
    ->  true
    ;   Name = Typed,
        Type = any
    ),
    must_be(atom, Name).

'$record_of'(Name, Names, Types, Defaults, Clauses) :-
    length(Names, Arity),
    Default =.. [Name|Defaults],
    '$record_name'([default_,Name], [Default], IsDefault),
    '$record_is'(Name, Arity, Types, IsClauses),
    '$record_makers'(Name, Makers),
    findall(Clause,
            ( nth1(At, Names, Field),
              nth1(At, Types, Type),
              '$record_field_clause'(Name, Arity, At, Field, Type, Clause)
            ),
            FieldClauses0),
    '$record_grouped'(FieldClauses0, FieldClauses),
    append([[IsDefault|IsClauses],Makers,FieldClauses], Clauses).

% Clauses of one predicate together.
'$record_grouped'(Clauses, Grouped) :-
    findall(Name/Arity-Clause,
            ( member(Clause, Clauses),
              '$record_head'(Clause, Head),
              functor(Head, Name, Arity)
            ),
            Pairs),
    keysort(Pairs, Sorted),
    pairs_values(Sorted, Grouped).

'$record_head'(Clause, Head) :-
    (   Clause = (Head0 :- _)
    ->  Head = Head0
    ;   Head = Clause
    ).

'$record_name'(Parts, Arguments, Term) :-
    atomic_list_concat(Parts, Name),
    Term =.. [Name|Arguments].

'$record_is'(Name, Arity, Types, [(First :- var(Var), !, fail), (Second :- Body)]) :-
    '$record_name'([is_,Name], [Var], First),
    functor(Record, Name, Arity),
    Record =.. [_|Values],
    '$record_name'([is_,Name], [Record], Second),
    '$record_types'(Types, Values, Body).

'$record_types'([], [], true).
'$record_types'([Type|Types], [Value|Values], Body) :-
    '$record_types'(Types, Values, Body0),
    (   Type == any
    ->  Body = Body0
    ;   Body0 == true
    ->  Body = is_of_type(Type, Value)
    ;   Body = (is_of_type(Type, Value), Body0)
    ).

'$record_makers'(Name,
                 [ (Make2 :- Make3Empty),
                   (Make3 :- IsDefault, Set4Default),
                   (Set3 :- Set4Empty),
                   End,
                   (Set4 :- ( Field -> Go ; Rest = [Head|Rest1], Skip ))
                 ]) :-
    '$record_name'([make_,Name], [Fields,Record], Make2),
    '$record_name'([make_,Name], [Fields,Record,[]], Make3Empty),
    '$record_name'([make_,Name], [Fields1,Record1,Other], Make3),
    '$record_name'([default_,Name], [Default], IsDefault),
    '$record_name'([set_,Name,'_fields'], [Fields1,Default,Record1,Other], Set4Default),
    '$record_name'([set_,Name,'_fields'], [Fields2,Old,New], Set3),
    '$record_name'([set_,Name,'_fields'], [Fields2,Old,New,[]], Set4Empty),
    '$record_name'([set_,Name,'_fields'], [[],Same,Same,[]], End),
    '$record_name'([set_,Name,'_fields'], [[Head|Tail],R0,R,Rest], Set4),
    '$record_name'([set_,Name,'_field'], [Head,R0,R1], Field),
    '$record_name'([set_,Name,'_fields'], [Tail,R1,R,Rest], Go),
    '$record_name'([set_,Name,'_fields'], [Tail,R0,R,Rest1], Skip).

% The clauses for a field, each in turn.
'$record_field_clause'(Name, Arity, At, Field, _, Clause) :-
    functor(Record, Name, Arity),
    arg(At, Record, Value),
    (   '$record_name'([Name,'_data'], [Field,Record,Value], Clause)
    ;   '$record_name'([Name,'_',Field], [Record,Value], Clause)
    ).
'$record_field_clause'(Name, Arity, At, Field, Type, Clause) :-
    functor(Old, Name, Arity),
    functor(New, Name, Arity),
    '$record_others'(Arity, At, Old, New),
    arg(At, New, Value),
    '$record_check'(Type, Value, Check),
    (   '$record_name'([set_,Field,'_of_',Name], [Value,Old,New], Head)
    ;   Setting =.. [Field,Value],
        '$record_name'([set_,Name,'_field'], [Setting,Old,New], Head)
    ),
    (   Check == true
    ->  Clause = Head
    ;   Clause = (Head :- Check)
    ).
'$record_field_clause'(Name, _, At, Field, Type, (Head :- Body)) :-
    '$record_check'(Type, Value, Check),
    (   Prefix = set_,
        Set = setarg(At, Record, Value)
    ;   Prefix = nb_set_,
        Set = nb_setarg(At, Record, Value)
    ),
    '$record_name'([Prefix,Field,'_of_',Name], [Value,Record], Head),
    (   Check == true
    ->  Body = Set
    ;   Body = (Check, Set)
    ).

'$record_check'(Type, Value, Check) :-
    (   Type == any
    ->  Check = true
    ;   Check = must_be(Type, Value)
    ).

'$record_others'(0, _, _, _) :- !.
'$record_others'(N, At, Old, New) :-
    (   N =:= At
    ->  true
    ;   arg(N, Old, Value),
        arg(N, New, Value)
    ),
    N1 is N-1,
    '$record_others'(N1, At, Old, New).
