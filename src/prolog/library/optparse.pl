% optparse.pl: options of command lines, as lists say them: one list for each option, of opt(Key), type(Type),
% default(Value), shortflags(Characters), longflags(Names), meta(Name) and help(Text).

%! opt_arguments(+Specification, -Options, -Positional)
%  Options are those of the command line that the program was started with, as Key(Value); Positional is what is no option.
opt_arguments(Specification, Options, Positional) :-
    opt_arguments(Specification, Options, Positional, []).

%! opt_arguments(+Specification, -Options, -Positional, +ParseOptions)
%  As opt_arguments/3, with options for reading: see opt_parse/5.
opt_arguments(Specification, Options, Positional, ParseOptions) :-
    current_prolog_flag(argv, Argv),
    opt_parse(Specification, Argv, Options, Positional, ParseOptions).

%! opt_parse(+Specification, +Arguments, -Options, -Positional)
%  Options are those among the Arguments, as Key(Value), with the defaults of those that are missing.
%  ?- opt_parse([[opt(depth),type(integer),default(3),shortflags([d]),longflags([depth])]], ['-d5',x], O, P).
%  O = [depth(5)], P = [x].
opt_parse(Specification, Arguments, Options, Positional) :-
    opt_parse(Specification, Arguments, Options, Positional, []).

%! opt_parse(+Specification, +Arguments, -Options, -Positional, +ParseOptions)
%  As opt_parse/4. ParseOptions: output_functor(Name), as `OPT` in OPT(Key, Value); duplicated_flags(keeplast), keepfirst or
%  keepall; allow_empty_flag_spec(Boolean).
opt_parse(Specification, Arguments, Options, Positional, ParseOptions) :-
    option(duplicated_flags(Duplicates), ParseOptions, keeplast),
    must_be(oneof([keepfirst,keeplast,keepall]), Duplicates),
    option(allow_empty_flag_spec(Empty), ParseOptions, true),
    maplist('$opt_checked'(Empty), Specification),
    maplist('$opt_text', Arguments, Texts),
    '$opt_given'(Texts, Specification, Given, Positional),
    '$opt_kept'(Duplicates, Given, Kept),
    findall(Key-Default,
            ( member(Option, Specification),
              memberchk(opt(Key), Option),
              \+ memberchk(Key-_, Kept),
              '$opt_default'(Option, Default)
            ),
            Defaults),
    append(Defaults, Kept, All),
    maplist('$opt_output'(ParseOptions), All, Options).

'$opt_text'(Argument, Text) :-
    (   atom(Argument)
    ->  Text = Argument
    ;   atomic(Argument)
    ->  format(atom(Text), "~w", [Argument])
    ;   type_error(atomic, Argument)
    ).

'$opt_output'(ParseOptions, Key-Value, Output) :-
    (   option(output_functor(Functor), ParseOptions)
    ->  Output =.. [Functor,Key,Value]
    ;   Output =.. [Key,Value]
    ).

'$opt_checked'(Empty, Option) :-
    must_be(list, Option),
    (   memberchk(opt(Key), Option)
    ->  must_be(atom, Key)
    ;   domain_error(opt_specification, Option)
    ),
    option(type(Type), Option, term),
    '$opt_type'(Type, Option),
    option(default(Default), Option, _),
    (   var(Default)
    ->  true
    ;   '$opt_has_type'(Type, Default)
    ->  true
    ;   domain_error(default(Type), Default)
    ),
    option(shortflags(Short), Option, []),
    option(longflags(Long), Option, []),
    (   Empty == false,
        Short == [],
        Long == []
    ->  domain_error(opt_flags, Option)
    ;   true
    ).

'$opt_type'(Type, Option) :-
    (   memberchk(Type, [boolean,integer,float,atom,term])
    ->  true
    ;   '$current_predicates'(parse_type/3, [_|_])
    ->  true
    ;   domain_error(opt_type, Option)
    ).

'$opt_has_type'(boolean, Value) :- !, memberchk(Value, [true,false]).
'$opt_has_type'(integer, Value) :- !, integer(Value).
'$opt_has_type'(float, Value) :- !, number(Value).
'$opt_has_type'(atom, Value) :- !, atom(Value).
'$opt_has_type'(_, _).

'$opt_default'(Option, Default) :-
    option(default(Default), Option, _).

'$opt_kept'(keepall, Given, Given).
'$opt_kept'(keepfirst, Given, Kept) :-
    '$opt_first'(Given, [], Kept).
'$opt_kept'(keeplast, Given, Kept) :-
    reverse(Given, Reversed),
    '$opt_first'(Reversed, [], Last),
    reverse(Last, Kept).

'$opt_first'([], _, []).
'$opt_first'([Key-Value|Rest], Seen, Kept) :-
    (   memberchk(Key, Seen)
    ->  Kept = Kept1
    ;   Kept = [Key-Value|Kept1]
    ),
    '$opt_first'(Rest, [Key|Seen], Kept1).

'$opt_given'([], _, [], []).
'$opt_given'([Argument|Arguments], Specification, Given, Positional) :-
    (   Argument == (--)
    ->  Given = [],
        Positional = Arguments
    ;   atom_concat(--, Long, Argument)
    ->  '$opt_long'(Long, Arguments, Specification, Key-Value, Rest),
        Given = [Key-Value|Given1],
        '$opt_given'(Rest, Specification, Given1, Positional)
    ;   atom_concat(-, Short, Argument),
        Short \== '',
        \+ atom_number(Argument, _)
    ->  atom_chars(Short, Characters),
        '$opt_short'(Characters, Arguments, Specification, Given, Given1, Rest),
        '$opt_given'(Rest, Specification, Given1, Positional)
    ;   Positional = [Argument|Positional1],
        '$opt_given'(Arguments, Specification, Given, Positional1)
    ).

'$opt_long'(Long, Arguments, Specification, Key-Value, Rest) :-
    (   sub_atom(Long, Before, 1, After, =)
    ->  sub_atom(Long, 0, Before, _, Name),
        sub_atom(Long, _, After, 0, Text),
        '$opt_named'(longflags, Name, Specification, Key, Type),
        '$opt_value'(Type, Key, Text, Value),
        Rest = Arguments
    ;   '$opt_flag'(longflags, Long, Specification, Key, Type)
    ->  '$opt_next'(Type, Key, Arguments, Value, Rest)
    ;   atom_concat('no-', Name, Long),
        '$opt_flag'(longflags, Name, Specification, Key, boolean)
    ->  Value = false,
        Rest = Arguments
    ;   existence_error(commandline_option, Long)
    ).

'$opt_short'([Character|Characters], Arguments, Specification, Given, Given1, Rest) :-
    '$opt_named'(shortflags, Character, Specification, Key, Type),
    (   Characters == []
    ->  '$opt_next'(Type, Key, Arguments, Value, Rest),
        Given = [Key-Value|Given1]
    ;   Type == boolean
    ->  Given = [Key-true|Given2],
        '$opt_short'(Characters, Arguments, Specification, Given2, Given1, Rest)
    ;   (   Characters = [=|Own]
        ->  true
        ;   Own = Characters
        ),
        atom_chars(Text, Own),
        '$opt_value'(Type, Key, Text, Value),
        Given = [Key-Value|Given1],
        Rest = Arguments
    ).

'$opt_named'(Kind, Name, Specification, Key, Type) :-
    (   '$opt_flag'(Kind, Name, Specification, Key, Type)
    ->  true
    ;   existence_error(commandline_option, Name)
    ).

'$opt_flag'(Kind, Name, Specification, Key, Type) :-
    Wanted =.. [Kind,Names],
    member(Option, Specification),
    memberchk(Wanted, Option),
    memberchk(Name, Names),
    !,
    memberchk(opt(Key), Option),
    option(type(Type), Option, term).

% The value behind an option: a Boolean needs none.
'$opt_next'(boolean, _, Arguments, Value, Rest) :-
    !,
    (   Arguments = [Text|Rest0],
        memberchk(Text, [true,false])
    ->  Value = Text,
        Rest = Rest0
    ;   Value = true,
        Rest = Arguments
    ).
'$opt_next'(Type, Key, Arguments, Value, Rest) :-
    (   Arguments = [Text|Rest]
    ->  '$opt_value'(Type, Key, Text, Value)
    ;   existence_error(commandline_argument, Key)
    ).

'$opt_value'(Type, Key, Text, Value) :-
    (   '$opt_parsed'(Type, Text, Parsed)
    ->  Value = Parsed
    ;   throw(error(type_error(flag_value(Key, Type), Text), _))
    ).

'$opt_parsed'(boolean, Text, Value) :- !, memberchk(Text, [true,false]), Value = Text.
'$opt_parsed'(integer, Text, Value) :- !, atom_number(Text, Value), integer(Value).
'$opt_parsed'(float, Text, Value) :- !, atom_number(Text, Number), Value is float(Number).
'$opt_parsed'(atom, Text, Value) :- !, Value = Text.
'$opt_parsed'(term, Text, Value) :-
    !,
    catch(term_to_atom(Value, Text), error(syntax_error(_), _), fail).
'$opt_parsed'(Type, Text, Value) :-
    atom_codes(Text, Codes),
    call(user:parse_type(Type, Codes, Value)).

%! opt_help(+Specification, -Help)
%  Help is a text with a line for each option that has flags.
%  ?- opt_help([[opt(depth),type(integer),default(3),shortflags([d]),longflags([depth]),help('How deep')]], H).
%  H = '--depth  -d  integer=3  How deep\n'.
opt_help(Specification, Help) :-
    findall(Row, ( member(Option, Specification), '$opt_row'(Option, Row) ), Rows),
    maplist('$opt_width'(Rows), [1,2,3], [Long,Short,Value]),
    Stop2 is Long+Short,
    Stop3 is Stop2+Value,
    with_output_to(atom(Help),
        forall(member(Row, Rows), '$opt_line'(Row, Long, Stop2, Stop3))).

'$opt_row'(Option, row(Longs, Short, Value, Help)) :-
    option(shortflags(Shorts0), Option, []),
    option(longflags(Longs0), Option, []),
    \+ ( Shorts0 == [], Longs0 == [] ),
    findall(Flag, ( member(Name, Shorts0), atom_concat(-, Name, Flag) ), Shorts),
    findall(Flag, ( member(Name, Longs0), atom_concat(--, Name, Flag) ), Longs),
    atomic_list_concat(Shorts, ',', Short),
    '$opt_value_text'(Option, Value),
    option(help(Help0), Option, ''),
    (   is_list(Help0)
    ->  Help = Help0
    ;   Help = [Help0]
    ).

'$opt_value_text'(Option, Text) :-
    option(type(Type), Option, term),
    option(meta(Meta), Option, ''),
    '$opt_default'(Option, Default),
    (   var(Default)
    ->  Shown = '_'
    ;   format(atom(Shown), "~w", [Default])
    ),
    (   Meta == ''
    ->  format(atom(Text), "~w=~w", [Type,Shown])
    ;   format(atom(Text), "~w:~w=~w", [Meta,Type,Shown])
    ).

% The width of a column, with two blanks.
'$opt_width'(Rows, Column, Width) :-
    findall(Length,
            ( member(Row, Rows),
              arg(Column, Row, Cell),
              (   Column =:= 1
              ->  member(Text, Cell)
              ;   Text = Cell
              ),
              atom_length(Text, Length)
            ),
            Lengths),
    max_list([0|Lengths], Longest),
    Width is Longest+2.

% All flags but the last have lines of their own, and so have all parts of the help but the first.
'$opt_line'(row(Longs, Short, Value, Help), Stop1, Stop2, Stop3) :-
    (   append(Before, [Long], Longs)
    ->  true
    ;   Before = [],
        Long = ''
    ),
    forall(member(Flag, Before), format("~w,~n", [Flag])),
    Help = [First|More],
    format("~w~t~*|~w~t~*|~w~t~*|~w~n", [Long,Stop1,Short,Stop2,Value,Stop3,First]),
    Stop4 is Stop3+2,
    forall(member(Line, More), format("~t~*|~w~n", [Stop4,Line])).
