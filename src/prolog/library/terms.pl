% terms.pl: variables of terms, most general terms, terms with variables as numbers.

%! is_most_general_term(@Term)
%  Term is an atom, a compound whose arguments are variables, all of them different, or a list of
%  such variables.
%  ?- is_most_general_term(f(_,_)).
%  true.
is_most_general_term(Term) :-
    (   is_list(Term)
    ->  '$different_variables'(Term)
    ;   Term = [_|_]
    ->  fail
    ;   compound(Term)
    ->  compound_name_arguments(Term, _, Arguments),
        '$different_variables'(Arguments)
    ;   atom(Term)
    ).

'$different_variables'(Variables) :-
    '$all_plain_variables'(Variables),
    length(Variables, Count),
    sort(Variables, Sorted),
    length(Sorted, Count).

'$all_plain_variables'([]).
'$all_plain_variables'([Variable|Variables]) :-
    var(Variable),
    \+ attvar(Variable),
    '$all_plain_variables'(Variables).

%! term_singletons(+Term, -Variables)
%  The variables that Term has once, in the order of their first occurrence. Of a cyclic term
%  there are none.
%  ?- term_singletons(f(X,Y,X,Z), Vs), Vs == [Y,Z].
%  Vs = [Y,Z].
term_singletons(Term, Variables) :-
    (   acyclic_term(Term)
    ->  '$variable_occurrences'([Term], Occurrences),
        msort(Occurrences, Sorted),
        '$only_once'(Sorted, Once),
        term_variables(Term, All),
        '$those_among'(All, Once, Variables)
    ;   Variables = []
    ).

'$variable_occurrences'([], []).
'$variable_occurrences'([Term|Terms], Occurrences) :-
    (   var(Term)
    ->  Occurrences = [Term|Occurrences1],
        '$variable_occurrences'(Terms, Occurrences1)
    ;   compound(Term),
        \+ ground(Term)
    ->  compound_name_arguments(Term, _, Arguments),
        append(Arguments, Terms, Terms1),
        '$variable_occurrences'(Terms1, Occurrences)
    ;   '$variable_occurrences'(Terms, Occurrences)
    ).

'$only_once'([], []).
'$only_once'([Variable|Sorted], Once) :-
    (   Sorted = [Next|_],
        Next == Variable
    ->  '$without_run'(Sorted, Variable, Sorted1),
        '$only_once'(Sorted1, Once)
    ;   Once = [Variable|Once1],
        '$only_once'(Sorted, Once1)
    ).

'$without_run'([Next|Sorted], Variable, Rest) :-
    Next == Variable, !,
    '$without_run'(Sorted, Variable, Rest).
'$without_run'(Sorted, _, Sorted).

'$those_among'([], _, []).
'$those_among'([Variable|Variables], Set, Found) :-
    (   ord_memberchk(Variable, Set)
    ->  Found = [Variable|Found1]
    ;   Found = Found1
    ),
    '$those_among'(Variables, Set, Found1).

%! numbervars(?Term, +Start, -End, +Options)
%  As numbervars/3. Options: singletons(Bool), variables that occur once become '$VAR'('_');
%  functor_name(Name), in the place of '$VAR'; attvar(Action), for variables with attributes:
%  bind, skip, or error, which is the default.
%  ?- numbervars(f(X,Y,X), 0, E, [singletons(true)]), print(f(X,Y,X)).
%  f(A,_,A)
%  E = 1, X = '$VAR'(0), Y = '$VAR'('_').
numbervars(Term, Start, End, Options) :-
    must_be(integer, Start),
    '$numbervars_options'(Options),
    '$bool_option'(singletons, Options, Singletons),
    option(functor_name(Name), Options, '$VAR'),
    option(attvar(Action), Options, error),
    must_be(oneof([bind,skip,error]), Action),
    term_variables(Term, All),
    '$numbered_variables'(Action, All, Term, Variables),
    (   Singletons == true
    ->  term_singletons(Term, Once),
        sort(Once, OnceSet)
    ;   OnceSet = []
    ),
    '$number_variables'(Variables, OnceSet, Name, Start, End).

'$numbervars_options'(Options) :-
    (   var(Options)
    ->  instantiation_error(Options)
    ;   Options == []
    ->  true
    ;   Options = [Option|Rest]
    ->  (   var(Option)
        ->  instantiation_error(Option)
        ;   (   atom(Option)
            ;   compound(Option), compound_name_arity(Option, _, 1)
            ;   Option = (_ = _)
            )
        ->  true
        ;   type_error(option, Option)
        ),
        '$numbervars_options'(Rest)
    ;   type_error(list, Options)
    ).

'$bool_option'(Name, Options, Value) :-
    Option =.. [Name,Value0],
    (   memberchk(Name, Options)
    ->  Value = true
    ;   option(Option, Options, false),
        must_be(bool, Value0),
        Value = Value0
    ).

'$numbered_variables'(Action, All, Term, Variables) :-
    term_attvars(Term, Attributed),
    (   Attributed == []
    ->  Variables = All
    ;   Action == bind
    ->  Variables = All
    ;   Action == skip
    ->  sort(Attributed, Set),
        '$those_not_among'(All, Set, Variables)
    ;   type_error(free_of_attvar, Term)
    ).

'$those_not_among'([], _, []).
'$those_not_among'([Variable|Variables], Set, Found) :-
    (   ord_memberchk(Variable, Set)
    ->  Found = Found1
    ;   Found = [Variable|Found1]
    ),
    '$those_not_among'(Variables, Set, Found1).

'$number_variables'([], _, _, End, End).
'$number_variables'([Variable|Variables], Once, Name, Number, End) :-
    (   ord_memberchk(Variable, Once)
    ->  Variable =.. [Name,'_'],
        ord_subtract(Once, [Variable], Once1),
        Number1 = Number
    ;   Variable =.. [Name,Number],
        Number1 is Number+1,
        Once1 = Once
    ),
    '$number_variables'(Variables, Once1, Name, Number1, End).

%! var_number(@Term, -Number)
%  Term is '$VAR'(Number).
%  ?- var_number('$VAR'(3), N).
%  N = 3.
var_number('$VAR'(Number), Number).

%! varnumbers(+Term0, -Term), varnumbers(+Term0, +Start, -Term)
%  Term is Term0 with variables in the place of '$VAR'(Number), Number an integer of at least
%  Start, which is 0 by default; the same variable for the same number.
%  ?- varnumbers(f('$VAR'(0),'$VAR'(1),'$VAR'(0)), T), T = f(a,b,C).
%  C = a, T = f(a,b,a).
varnumbers(Term0, Term) :-
    varnumbers(Term0, 0, Term).

varnumbers(Term0, Start, Term) :-
    must_be(integer, Start),
    empty_assoc(Variables),
    '$varnumbers'(Term0, numbers(Start), Variables, _, Term).

%! varnumbers_names(+Term0, -Term, -Bindings)
%  As varnumbers/2, also for '$VAR'(Name) of an atom; Bindings are Name = Variable of each.
%  ?- varnumbers_names(f('$VAR'('X')), T, Bs), T = f(a).
%  Bs = ['X'=a], T = f(a).
varnumbers_names(Term0, Term, Bindings) :-
    empty_assoc(Variables0),
    '$varnumbers'(Term0, names, Variables0, Variables, Term),
    assoc_to_list(Variables, Pairs),
    '$variable_bindings'(Pairs, Bindings).

'$variable_bindings'([], []).
'$variable_bindings'([Key-Variable|Pairs], [Name=Variable|Bindings]) :-
    (   integer(Key)
    ->  Letter is 0'A + Key mod 26,
        Index is Key // 26,
        (   Index =:= 0
        ->  char_code(Name, Letter)
        ;   format(atom(Name), "~c~d", [Letter,Index])
        )
    ;   Name = Key
    ),
    '$variable_bindings'(Pairs, Bindings).

'$varnumbers'(Term0, Kind, Variables0, Variables, Term) :-
    (   compound(Term0)
    ->  (   Term0 = '$VAR'(Key),
            '$varnumbers_key'(Kind, Key)
        ->  (   get_assoc(Key, Variables0, Known)
            ->  Term = Known,
                Variables = Variables0
            ;   put_assoc(Key, Variables0, Term, Variables)
            )
        ;   compound_name_arguments(Term0, Name, Arguments0),
            '$varnumbers_all'(Arguments0, Kind, Variables0, Variables, Arguments),
            compound_name_arguments(Term, Name, Arguments)
        )
    ;   Term = Term0,
        Variables = Variables0
    ).

'$varnumbers_key'(numbers(Start), Key) :-
    integer(Key),
    Key >= Start.
'$varnumbers_key'(names, Key) :-
    ( integer(Key) -> true ; atom(Key) ).

'$varnumbers_all'([], _, Variables, Variables, []).
'$varnumbers_all'([Term0|Terms0], Kind, Variables0, Variables, [Term|Terms]) :-
    '$varnumbers'(Term0, Kind, Variables0, Variables1, Term),
    '$varnumbers_all'(Terms0, Kind, Variables1, Variables, Terms).

%! max_var_number(+Term, +Start, -Max)
%  Max is the largest of Start and the numbers of all '$VAR'(Number) in Term.
%  ?- max_var_number(f('$VAR'(3),'$VAR'(1)), 0, M).
%  M = 3.
max_var_number(Term, Start, Max) :-
    findall(Number, (sub_term(Part, Term), nonvar(Part), Part = '$VAR'(Number), integer(Number)),
            Numbers),
    foldl([N,M0,M]>>(M is max(M0, N)), Numbers, Start, Max).

%! contains_term(@Part, +Term), free_of_term(@Part, +Term)
%  A part of Term is an instance of Part, or none is.
%  ?- contains_term(a, f(g(a))).
%  true.
contains_term(Part, Term) :-
    sub_term(Found, Term),
    subsumes_term(Part, Found), !.

free_of_term(Part, Term) :-
    \+ contains_term(Part, Term).

%! contains_var(@Variable, +Term), free_of_var(@Variable, +Term)
%  Variable stands in Term, or it does not.
%  ?- free_of_var(X, f(_)), X = 1.
%  X = 1.
contains_var(Variable, Term) :-
    sub_term(Found, Term),
    Found == Variable, !.

free_of_var(Variable, Term) :-
    \+ contains_var(Variable, Term).

%! sub_var(@Variable, +Term)
%  Variable stands in Term.
sub_var(Variable, Term) :-
    contains_var(Variable, Term).

%! sub_term_shared_variables(+Part, +Term, -Variables)
%  The variables of Part that stand in Term outside of that part too.
%  ?- sub_term_shared_variables(f(X,Y), g(f(X,Y),X), Vs), Vs == [X].
%  Vs = [X].
sub_term_shared_variables(Part, Term, Shared) :-
    term_variables(Part, Variables),
    '$shared_variables'(Variables, Part, Term, Shared).

'$shared_variables'([], _, _, []).
'$shared_variables'([Variable|Variables], Part, Term, Shared) :-
    occurrences_of_var(Variable, Part, Inside),
    occurrences_of_var(Variable, Term, All),
    (   All > Inside
    ->  Shared = [Variable|Shared1]
    ;   Shared = Shared1
    ),
    '$shared_variables'(Variables, Part, Term, Shared1).

%! variant(@A, @B)
%  As =@=/2.
%  ?- variant(f(_), f(_)).
%  true.
variant(A, B) :-
    A =@= B.

%! same_functor(?A, ?B)
%  A and B are terms of one name and arity; one of them may be unbound.
%  ?- same_functor(f(x), T).
%  T = f(_).
same_functor(A, B) :-
    same_functor(A, B, _, _).

%! same_functor(?A, ?B, ?Arity)
%  The same with their arity.
same_functor(A, B, Arity) :-
    same_functor(A, B, _, Arity).

%! same_functor(?A, ?B, ?Name, ?Arity)
%  The same with their name and arity.
%  ?- same_functor(f(x), _, N, A).
%  A = 1, N = f.
same_functor(A, B, Name, Arity) :-
    (   nonvar(A)
    ->  functor(A, Name, Arity),
        functor(B, Name, Arity)
    ;   functor(B, Name, Arity),
        functor(A, Name, Arity)
    ).

%! mapsubterms(:Goal, +Term, -Changed)
%  Changed is Term with Y in the place of each part X for which call(Goal, X, Y) holds. Parts of such an X, and variables,
%  are not looked at.
%  ?- mapsubterms([X,Y]>>(integer(X), Y is -X), f(1,g(2)), T).
%  T = f(-1,g(-2)).
mapsubterms(Goal, Term, Changed) :-
    '$mapsubterms'(Term, Goal, skip, Changed).

%! mapsubterms_var(:Goal, +Term, -Changed)
%  As mapsubterms/3, with variables too.
mapsubterms_var(Goal, Term, Changed) :-
    '$mapsubterms'(Term, Goal, take, Changed).

'$mapsubterms'(Term, Goal, Variables, Changed) :-
    (   var(Term),
        Variables == skip
    ->  Changed = Term
    ;   call(Goal, Term, Changed0)
    ->  Changed = Changed0
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments0),
        '$mapsubterms_each'(Arguments0, Goal, Variables, Arguments),
        compound_name_arguments(Changed, Name, Arguments)
    ;   Changed = Term
    ).

'$mapsubterms_each'([], _, _, []).
'$mapsubterms_each'([A|As], Goal, Variables, [B|Bs]) :-
    '$mapsubterms'(A, Goal, Variables, B),
    '$mapsubterms_each'(As, Goal, Variables, Bs).

%! foldsubterms(:Goal, +Term, +State0, -State)
%  call(Goal, X, S0, S) for the parts X of Term from the outside in; where it holds, parts of X are not looked at.
%  ?- foldsubterms([X,S0,S]>>(integer(X), S is S0+X), f(1,g(2)), 0, Sum).
%  Sum = 3.
foldsubterms(Goal, Term, State0, State) :-
    '$foldsubterms'(Term, Goal, State0, State).

'$foldsubterms'(Term, Goal, State0, State) :-
    (   call(Goal, Term, State0, State1)
    ->  State = State1
    ;   compound(Term)
    ->  compound_name_arguments(Term, _, Arguments),
        '$foldsubterms_each'(Arguments, Goal, State0, State)
    ;   State = State0
    ).

'$foldsubterms_each'([], _, State, State).
'$foldsubterms_each'([A|As], Goal, State0, State) :-
    '$foldsubterms'(A, Goal, State0, State1),
    '$foldsubterms_each'(As, Goal, State1, State).

%! foldsubterms(:Goal, +Term, -Changed, +State0, -State)
%  As foldsubterms/4 with call(Goal, X, Y, S0, S); Changed has Y in the place of X.
foldsubterms(Goal, Term, Changed, State0, State) :-
    (   call(Goal, Term, Changed0, State0, State1)
    ->  Changed = Changed0,
        State = State1
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments0),
        '$foldsubterms_each'(Arguments0, Goal, Arguments, State0, State),
        compound_name_arguments(Changed, Name, Arguments)
    ;   Changed = Term,
        State = State0
    ).

'$foldsubterms_each'([], _, [], State, State).
'$foldsubterms_each'([A|As], Goal, [B|Bs], State0, State) :-
    foldsubterms(Goal, A, B, State0, State1),
    '$foldsubterms_each'(As, Goal, Bs, State1, State).

%! term_subsumer(+A, +B, -General)
%  General is the most special term of which both are instances.
%  ?- term_subsumer(f(a,b,a), f(c,d,c), T).
%  T = f(X,_,X).
term_subsumer(A, B, General) :-
    '$generalized'(A, B, General, [], _).

'$generalized'(A, B, General, Pairs0, Pairs) :-
    (   A == B
    ->  General = A,
        Pairs = Pairs0
    ;   compound(A),
        compound(B),
        compound_name_arity(A, Name, Arity),
        compound_name_arity(B, Name, Arity)
    ->  compound_name_arguments(A, Name, As),
        compound_name_arguments(B, Name, Bs),
        '$generalized_each'(As, Bs, Gs, Pairs0, Pairs),
        compound_name_arguments(General, Name, Gs)
    ;   member(pair(A1, B1, General0), Pairs0),
        A1 == A,
        B1 == B
    ->  General = General0,
        Pairs = Pairs0
    ;   Pairs = [pair(A, B, General)|Pairs0]
    ).

'$generalized_each'([], [], [], Pairs, Pairs).
'$generalized_each'([A|As], [B|Bs], [G|Gs], Pairs0, Pairs) :-
    '$generalized'(A, B, G, Pairs0, Pairs1),
    '$generalized_each'(As, Bs, Gs, Pairs1, Pairs).
