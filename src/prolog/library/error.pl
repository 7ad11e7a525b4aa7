% error.pl: standard error terms and checks of arguments.

%! type_error(+Type, +Culprit)
%  Throws the standard's type error.
%  ?- catch(type_error(integer, a), error(E, _), true).
%  E = type_error(integer,a).
type_error(Type, Culprit) :-
    throw(error(type_error(Type, Culprit), _)).

%! domain_error(+Domain, +Culprit)
%  Throws the standard's domain error.
%  ?- catch(domain_error(order, a), error(E, _), true).
%  E = domain_error(order,a).
domain_error(Domain, Culprit) :-
    throw(error(domain_error(Domain, Culprit), _)).

%! existence_error(+Type, +Culprit)
%  Throws the standard's existence error.
%  ?- catch(existence_error(key, k), error(E, _), true).
%  E = existence_error(key,k).
existence_error(Type, Culprit) :-
    throw(error(existence_error(Type, Culprit), _)).

%! existence_error(+Type, +Culprit, +In)
%  As existence_error/2, and says where the thing was looked for.
%  ?- catch(existence_error(key, k, table), error(E, _), true).
%  E = existence_error(key,k,table).
existence_error(Type, Culprit, In) :-
    throw(error(existence_error(Type, Culprit, In), _)).

%! permission_error(+Action, +Type, +Culprit)
%  Throws the standard's permission error.
%  ?- catch(permission_error(modify, flag, f), error(E, _), true).
%  E = permission_error(modify,flag,f).
permission_error(Action, Type, Culprit) :-
    throw(error(permission_error(Action, Type, Culprit), _)).

%! instantiation_error(+Culprit)
%  Throws the standard's instantiation error.
%  ?- catch(instantiation_error(_), error(E, _), true).
%  E = instantiation_error.
instantiation_error(_) :-
    throw(error(instantiation_error, _)).

%! uninstantiation_error(+Culprit)
%  Throws the error for an output argument that was already bound.
%  ?- catch(uninstantiation_error(a), error(E, _), true).
%  E = uninstantiation_error(a).
uninstantiation_error(Culprit) :-
    throw(error(uninstantiation_error(Culprit), _)).

%! representation_error(+Limit)
%  Throws the standard's representation error.
%  ?- catch(representation_error(max_arity), error(E, _), true).
%  E = representation_error(max_arity).
representation_error(Limit) :-
    throw(error(representation_error(Limit), _)).

%! syntax_error(+Message)
%  Throws the standard's syntax error.
%  ?- catch(syntax_error(bad), error(E, _), true).
%  E = syntax_error(bad).
syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

%! resource_error(+Resource)
%  Throws the standard's resource error.
%  ?- catch(resource_error(memory), error(E, _), true).
%  E = resource_error(memory).
resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

%! must_be(+Type, @X)
%  True when X is of the type; an instantiation or type error when not.
%  ?- catch(must_be(integer, a), error(E, _), true).
%  E = type_error(integer,a).
must_be(Type, X) :-
    (   Type == integer, integer(X)
    ->  true
    ;   var(Type)
    ->  instantiation_error(Type)
    ;   '$has_type'(Type, X)
    ->  true
    ;   '$is_not'(Type, X)
    ).

'$is_not'(Type, X) :-
    (   \+ '$known_type'(Type)
    ->  existence_error(type, Type)
    ;   Type == rational,
        \+ ground(X)
    ->  instantiation_error(X)
    ;   Type = list(Of)
    ->  '$is_not_list'(X, Type, Of)
    ;   '$list_type'(Type, Of)
    ->  '$is_not_list'(X, list, Of)
    ;   Type == var
    ->  uninstantiation_error(X)
    ;   Type == cyclic
    ->  domain_error(cyclic_term, X)
    ;   Type == acyclic
    ->  domain_error(acyclic_term, X)
    ;   '$lacks_binding'(Type, X)
    ->  instantiation_error(X)
    ;   type_error(Type, X)
    ).

'$lacks_binding'(Type, X) :-
    (   var(X)
    ->  true
    ;   Type == ground
    ).

% The list itself first, then the first element that is of another type.
'$is_not_list'(X, Type, Of) :-
    '$list_end'(X, End),
    (   var(End)
    ->  instantiation_error(X)
    ;   End \== []
    ->  type_error(Type, X)
    ;   '$first_not'(X, Of)
    ).

'$first_not'([X|Xs], Of) :-
    (   '$has_type'(Of, X)
    ->  '$first_not'(Xs, Of)
    ;   '$is_not'(Of, X)
    ).

'$list_type'(list, any).
'$list_type'(proper_list, any).
'$list_type'(list_of(Of), Of).
'$list_type'(codes, code).
'$list_type'(chars, char).

%! is_of_type(+Type, @X)
%  True when X is of the type; fails when not.
%  ?- is_of_type(list(atom), [a,b]).
%  true.
is_of_type(Type, X) :-
    '$has_type'(Type, X), !.

%! is_list_or_partial(@X)
%  X is a list or could become one.
%  ?- is_list_or_partial([a|_]).
%  true.
is_list_or_partial(X) :-
    '$list_end'(X, End),
    (   var(End)
    ->  true
    ;   End == []
    ).

%! current_type(?Type)
%  The types that must_be/2 knows.
%  ?- current_type(nonneg).
%  true.
current_type(Type) :-
    '$known_type'(Type).

'$known_type'(any).
'$known_type'(atom).
'$known_type'(atomic).
'$known_type'(between(_, _)).
'$known_type'(boolean).
'$known_type'(bool).
'$known_type'(callable).
'$known_type'(char).
'$known_type'(chars).
'$known_type'(code).
'$known_type'(codes).
'$known_type'(compound).
'$known_type'(constant).
'$known_type'(cyclic).
'$known_type'(acyclic).
'$known_type'(encoding).
'$known_type'(float).
'$known_type'(ground).
'$known_type'(integer).
'$known_type'(nonneg).
'$known_type'(positive_integer).
'$known_type'(negative_integer).
'$known_type'(nonvar).
'$known_type'(number).
'$known_type'(oneof(_)).
'$known_type'(order).
'$known_type'(list).
'$known_type'(list(_)).
'$known_type'(list_of(_)).
'$known_type'(list_or_partial).
'$known_type'(pair).
'$known_type'(proper_list).
'$known_type'(rational).
'$known_type'(string).
'$known_type'(symbol).
'$known_type'(text).
'$known_type'(type).
'$known_type'(var).

'$has_type'(any, _).
'$has_type'(atom, X) :- atom(X).
'$has_type'(atomic, X) :- atomic(X).
'$has_type'(between(Low, High), X) :-
    (   integer(Low), integer(High)
    ->  integer(X), X >= Low, X =< High
    ;   number(X), X >= Low, X =< High
    ).
'$has_type'(boolean, X) :- '$boolean'(X).
'$has_type'(bool, X) :- '$boolean'(X).
'$has_type'(callable, X) :- callable(X).
'$has_type'(char, X) :- '$char'(X).
'$has_type'(chars, X) :- is_list(X), '$all_of_type'(X, char).
'$has_type'(code, X) :- integer(X), X >= 0, X =< 0x10ffff.
'$has_type'(codes, X) :- is_list(X), '$all_of_type'(X, code).
'$has_type'(compound, X) :- compound(X).
'$has_type'(constant, X) :- atomic(X).
'$has_type'(cyclic, X) :- \+ acyclic_term(X).
'$has_type'(acyclic, X) :- acyclic_term(X).
'$has_type'(encoding, X) :- atom(X), '$encoding'(X).
'$has_type'(float, X) :- float(X).
'$has_type'(ground, X) :- ground(X).
'$has_type'(integer, X) :- integer(X).
'$has_type'(nonneg, X) :- integer(X), X >= 0.
'$has_type'(positive_integer, X) :- integer(X), X >= 1.
'$has_type'(negative_integer, X) :- integer(X), X < 0.
'$has_type'(nonvar, X) :- nonvar(X).
'$has_type'(number, X) :- number(X).
'$has_type'(oneof(List), X) :- nonvar(X), memberchk(X, List).
'$has_type'(order, X) :- atom(X), '$order'(X).
'$has_type'(list, X) :- is_list(X).
'$has_type'(list(Of), X) :- is_list(X), '$all_of_type'(X, Of).
'$has_type'(list_of(Of), X) :- is_list(X), '$all_of_type'(X, Of).
'$has_type'(list_or_partial, X) :- is_list_or_partial(X).
'$has_type'(pair, X) :- nonvar(X), X = _-_.
'$has_type'(proper_list, X) :- is_list(X).
'$has_type'(rational, X) :- rational(X).
'$has_type'(string, X) :- string(X).
'$has_type'(symbol, X) :- atom(X).
'$has_type'(text, X) :- '$text'(X).
'$has_type'(type, X) :- nonvar(X), '$known_type'(X).
'$has_type'(var, X) :- var(X).

'$all_of_type'([], _).
'$all_of_type'([X|Xs], Of) :-
    '$has_type'(Of, X), !,
    '$all_of_type'(Xs, Of).

'$boolean'(X) :- ( X == true -> true ; X == false ).

'$char'(X) :- atom(X), atom_length(X, 1).

'$order'(<).
'$order'(=).
'$order'(>).

'$encoding'(octet).
'$encoding'(ascii).
'$encoding'(iso_latin_1).
'$encoding'(text).
'$encoding'(utf8).

'$text'(X) :-
    (   atomic(X)
    ->  X \== []
    ;   '$has_type'(chars, X)
    ->  true
    ;   '$has_type'(codes, X)
    ).
