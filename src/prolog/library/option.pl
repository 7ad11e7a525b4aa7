% option.pl: lists of options, Name(Value) or Name = Value.

%! option(?Option, +Options)
%  The first option of that name in Options unifies with Option.
%  ?- option(depth(D), [width(3),depth(5)]).
%  D = 5.
option(Option, Options) :-
    '$option_parts'(Option, Name, Value),
    '$get_option'(Options, Name, Value0), !,
    Value = Value0.

%! option(?Option, +Options, +Default)
%  As option/2, and Default when there is none of that name.
%  ?- option(depth(D), [width(3)], 9).
%  D = 9.
option(Option, Options, Default) :-
    '$option_parts'(Option, Name, Value),
    (   '$get_option'(Options, Name, Value0)
    ->  Value = Value0
    ;   Value = Default
    ).

%! select_option(?Option, +Options, -Rest)
%  As option/2; Rest is Options without it.
%  ?- select_option(depth(D), [width(3),depth(5)], R).
%  D = 5, R = [width(3)].
select_option(Option, Options, Rest) :-
    '$option_parts'(Option, Name, Value),
    '$take_option'(Options, Name, Value0, Rest0), !,
    Value = Value0,
    Rest = Rest0.

%! select_option(?Option, +Options, -Rest, +Default)
%  As select_option/3, and Default when there is none of that name.
%  ?- select_option(depth(D), [width(3)], R, 9).
%  D = 9, R = [width(3)].
select_option(Option, Options, Rest, Default) :-
    '$option_parts'(Option, Name, Value),
    (   '$take_option'(Options, Name, Value0, Rest0)
    ->  Value = Value0,
        Rest = Rest0
    ;   Value = Default,
        Rest = Options
    ).

%! merge_options(+New, +Old, -Merged)
%  The options of both; where both have one, that of New.  Sorted by name.
%  ?- merge_options([a(2)], [a(1),b=3], M).
%  M = [a(2),b(3)].
merge_options(New, Old, Merged) :-
    '$keyed_options'(New, NewPairs),
    '$keyed_options'(Old, OldPairs),
    append(NewPairs, OldPairs, Pairs),
    sort(1, @<, Pairs, Firsts),
    pairs_values(Firsts, Merged).

'$keyed_options'([], []).
'$keyed_options'([Option|Options], [Key-Canonical|Pairs]) :-
    (   compound(Option),
        Option \= (_ = _),
        compound_name_arity(Option, Name, Arity),
        Arity =\= 1
    ->  Key = Name/Arity,
        Canonical = Option
    ;   '$option_parts'(Option, Name, Value),
        Key = Name/1,
        Canonical =.. [Name,Value]
    ),
    '$keyed_options'(Options, Pairs).

'$option_parts'(Option, Name, Value) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   Option = (Name0 = Value0)
    ->  Name = Name0,
        Value = Value0
    ;   Option =.. [Name,Value]
    ->  true
    ;   domain_error(option, Option)
    ).

'$get_option'([Option|Options], Name, Value) :-
    (   '$names_option'(Option, Name, Value0)
    ->  Value = Value0
    ;   '$get_option'(Options, Name, Value)
    ).

'$take_option'([Option|Options], Name, Value, Rest) :-
    (   '$names_option'(Option, Name, Value0)
    ->  Value = Value0,
        Rest = Options
    ;   Rest = [Option|Rest1],
        '$take_option'(Options, Name, Value, Rest1)
    ).

'$names_option'(Option, Name, Value) :-
    nonvar(Option),
    (   Option = (Name0 = Value0)
    ->  Name0 == Name,
        Value = Value0
    ;   functor(Option, Name, 1),
        arg(1, Option, Value)
    ).
