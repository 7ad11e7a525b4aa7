% main.pl: programs with a command line (library(main)).

%! main
%  Calls main/1 of the program with the arguments of the command line, as the flag argv has them,
%  and ends the process: with status 0, or 1 if it fails or raises an error.
main :-
    current_prolog_flag(break_level, _), !,
    '$main_arguments'(Arguments),
    call(main, Arguments).
main :-
    '$main_arguments'(Arguments),
    (   catch(call(main, Arguments), Error, true)
    ->  (   var(Error)
        ->  halt(0)
        ;   Error = unwind(halt(Status))
        ->  halt(Status)
        ;   print_message(error, Error),
            halt(2)
        )
    ;   halt(1)
    ).

'$main_arguments'(Arguments) :-
    (   current_prolog_flag(argv, Arguments0)
    ->  Arguments = Arguments0
    ;   Arguments = []
    ).

%! argv_options(:Arguments, -Positional, -Options)
%  Splits the arguments of a command line. --name=Value is name(Value), --name is name(true),
%  --no-name is name(false), -abc is a(true), b(true) and c(true), -n Value is n(Value) where
%  opt_type/3 of the program gives n another type than Boolean. Behind -- nothing is an option.
%  Values are numbers where they read as such. If the program has opt_type(Flag, Option, Type),
%  other flags than those are an error, and values are of the types: bool, boolean, integer,
%  nonneg, natural, float, between(L, H), oneof(Atoms), atom, string, term, file, directory, or
%  several, A|B.
%  ?- argv_options(['--x=1', a, '-v'], P, Os).
%  Os = [x(1),v(true)], P = [a].
argv_options(Arguments, Positional, Options) :-
    argv_options(Arguments, Positional, Options, []).

%! argv_options(:Arguments, -Positional, -Options, +ParseOptions)
%  As argv_options/3. With unknown_option(pass) options that opt_type/3 has not stay positional;
%  with options_after_arguments(false) nothing is an option behind the first positional argument.
argv_options(Module:Arguments, Positional, Options, How) :- !,
    '$argv_types'(Module, Types),
    '$argv'(Arguments, Types, How, Positional, Options).
argv_options(Arguments, Positional, Options, How) :-
    '$argv_types'(user, Types),
    '$argv'(Arguments, Types, How, Positional, Options).

'$argv_types'(Module, Types) :-
    (   current_predicate(opt_type/3)
    ->  findall(opt(Flag, Option, Type), Module:opt_type(Flag, Option, Type), Types)
    ;   Types = untyped
    ).

'$argv'([], _, _, [], []).
'$argv'([Argument|Arguments], Types, How, Positional, Options) :-
    (   Argument == (--)
    ->  Positional = Arguments,
        Options = []
    ;   sub_atom(Argument, 0, _, _, --)
    ->  sub_atom(Argument, 2, _, 0, Long),
        '$argv_long'(Long, Argument, Arguments, Types, How, Positional, Options)
    ;   sub_atom(Argument, 0, _, _, -),
        Argument \== (-),
        \+ ( Types == untyped, atom_number(Argument, _) )
    ->  sub_atom(Argument, 1, _, 0, Short),
        atom_chars(Short, Flags),
        '$argv_short'(Flags, Argument, Arguments, Types, How, Positional, Options)
    ;   option(options_after_arguments(false), How)
    ->  Positional = [Argument|Arguments],
        Options = []
    ;   Positional = [Argument|Positional1],
        '$argv'(Arguments, Types, How, Positional1, Options)
    ).

'$argv_long'(Long, Argument, Arguments, Types, How, Positional, Options) :-
    (   sub_atom(Long, Before, _, After, =)
    ->  sub_atom(Long, 0, Before, _, Name),
        sub_atom(Long, _, After, 0, Text),
        Given = value(Text)
    ;   Name = Long,
        Given = none
    ),
    (   '$argv_flag'(Name, Given, Types, Arguments, Option, Arguments1)
    ->  Options = [Option|Options1],
        '$argv'(Arguments1, Types, How, Positional, Options1)
    ;   option(unknown_option(pass), How)
    ->  Positional = [Argument|Positional1],
        '$argv'(Arguments, Types, How, Positional1, Options)
    ;   existence_error(commandline_option, Argument)
    ).

'$argv_short'([], _, Arguments, Types, How, Positional, Options) :-
    '$argv'(Arguments, Types, How, Positional, Options).
'$argv_short'([Flag|Flags], Argument, Arguments, Types, How, Positional, Options) :-
    (   Flags = [=|Rest]
    ->  atom_chars(Text, Rest),
        Given = value(Text),
        More = []
    ;   Flags = [_|_],
        '$argv_type'(Types, Flag, _, Type),
        \+ '$argv_boolean'(Type)
    ->  atom_chars(Text, Flags),
        Given = value(Text),
        More = []
    ;   Given = none,
        More = Flags
    ),
    (   '$argv_flag'(Flag, Given, Types, Arguments, Option, Arguments1)
    ->  Options = [Option|Options1],
        '$argv_short'(More, Argument, Arguments1, Types, How, Positional, Options1)
    ;   option(unknown_option(pass), How)
    ->  Positional = [Argument|Positional1],
        '$argv'(Arguments, Types, How, Positional1, Options)
    ;   atom_concat(-, Flag, Culprit),
        existence_error(commandline_option, Culprit)
    ).

% The option that a flag means, and the arguments behind it.
'$argv_flag'(Flag, Given, untyped, Arguments, Option, Arguments) :- !,
    (   Given = value(Text)
    ->  '$argv_option_name'(Flag, Name),
        '$argv_plain'(Text, Value)
    ;   atom_concat('no-', Positive, Flag)
    ->  '$argv_option_name'(Positive, Name),
        Value = false
    ;   '$argv_option_name'(Flag, Name),
        Value = true
    ),
    Option =.. [Name,Value].
'$argv_flag'(Flag, Given, Types, Arguments0, Option, Arguments) :-
    (   '$argv_option_name'(Flag, Underscored),
        '$argv_type'(Types, Underscored, Name, Type)
    ->  Positive = true
    ;   ( atom_concat('no-', Flag1, Flag) ; atom_concat(no, Flag1, Flag) ),
        '$argv_option_name'(Flag1, Underscored),
        '$argv_type'(Types, Underscored, Name, Type),
        '$argv_boolean'(Type)
    ->  Positive = false
    ), !,
    (   Given = value(Text)
    ->  Arguments = Arguments0,
        '$argv_value'(Type, Text, Flag, Value)
    ;   '$argv_boolean'(Type)
    ->  Arguments = Arguments0,
        '$argv_default'(Type, Default),
        (   Positive == true
        ->  Value = Default
        ;   '$argv_opposite'(Default, Value)
        )
    ;   Arguments0 = [Text|Arguments]
    ->  '$argv_value'(Type, Text, Flag, Value)
    ;   existence_error(commandline_argument, Flag)
    ),
    Option =.. [Name,Value].

'$argv_option_name'(Flag, Name) :-
    atomic_list_concat(Parts, -, Flag),
    atomic_list_concat(Parts, '_', Name).

'$argv_type'(Types, Flag, Name, Type) :-
    is_list(Types),
    memberchk(opt(Flag, Name, Type), Types).

'$argv_boolean'(Type) :-
    (   '$argv_default'(Type, _)
    ->  true
    ;   ( Type = (A|_) ; Type = (A;_) )
    ->  '$argv_boolean'(A)
    ).

% What a flag without a value means.
'$argv_default'(Type, Value) :-
    (   ( Type == bool ; Type == boolean )
    ->  Value = true
    ;   nonvar(Type),
        ( Type = bool(Value0) ; Type = boolean(Value0) )
    ->  Value = Value0
    ;   nonvar(Type),
        ( Type = (A|_) ; Type = (A;_) )
    ->  '$argv_default'(A, Value)
    ).

'$argv_opposite'(true, false).
'$argv_opposite'(false, true).

'$argv_plain'(Text, Value) :-
    (   atom_number(Text, Number)
    ->  Value = Number
    ;   Value = Text
    ).

'$argv_value'(Type, Text, Flag, Value) :-
    (   '$argv_typed'(Type, Text, Value0)
    ->  Value = Value0
    ;   throw(error(opt_error(value_type(Flag, Type, Text)), _))
    ).

'$argv_typed'((A|B), Text, Value) :- !,
    ( '$argv_typed'(A, Text, Value) -> true ; '$argv_typed'(B, Text, Value) ).
'$argv_typed'((A;B), Text, Value) :- !,
    ( '$argv_typed'(A, Text, Value) -> true ; '$argv_typed'(B, Text, Value) ).
'$argv_typed'(bool, Text, Value) :- '$argv_truth'(Text, Value).
'$argv_typed'(boolean, Text, Value) :- '$argv_truth'(Text, Value).
'$argv_typed'(bool(_), Text, Value) :- '$argv_truth'(Text, Value).
'$argv_typed'(boolean(_), Text, Value) :- '$argv_truth'(Text, Value).
'$argv_typed'(integer, Text, Value) :- atom_number(Text, Value), integer(Value).
'$argv_typed'(nonneg, Text, Value) :- atom_number(Text, Value), integer(Value), Value >= 0.
'$argv_typed'(natural, Text, Value) :- atom_number(Text, Value), integer(Value), Value >= 1.
'$argv_typed'(number, Text, Value) :- atom_number(Text, Value).
'$argv_typed'(float, Text, Value) :- atom_number(Text, Number), Value is float(Number).
'$argv_typed'(between(Low, High), Text, Value) :-
    atom_number(Text, Number),
    (   ( float(Low) ; float(High) )
    ->  Value is float(Number)
    ;   integer(Number),
        Value = Number
    ),
    Value >= Low,
    Value =< High.
'$argv_typed'(oneof(Values), Text, Value) :-
    member(Value, Values),
    format(atom(Text), "~w", [Value]), !.
'$argv_typed'(atom, Text, Text).
'$argv_typed'(string, Text, Value) :- atom_string(Text, Value).
'$argv_typed'(term, Text, Value) :- term_to_atom(Value, Text).
'$argv_typed'(file, Text, Text).
'$argv_typed'(file(_), Text, Text).
'$argv_typed'(directory, Text, Text).
'$argv_typed'(directory(_), Text, Text).

'$argv_truth'(Text, Value) :-
    downcase_atom(Text, Low),
    (   memberchk(Low, [true,yes,y,on,'1'])
    ->  Value = true
    ;   memberchk(Low, [false,no,n,off,'0'])
    ->  Value = false
    ).
