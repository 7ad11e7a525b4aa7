% settings.pl: values that a program is set up with, by `:- setting(Name, Type, Default, Comment).`
%
% Declarations are kept as records '$setting'(Key, Type, Default, Comment), and what was set as
% '$setting_value'(Key, Value); Key is Module:Name.

'$setting'(Key, Type, Default, Comment) :-
    recorded('$setting', '$setting'(Key, Type, Default, Comment)).

'$setting_value'(Key, Value) :-
    recorded('$setting_value', '$setting_value'(Key, Value)).

'$forget_setting'(Kind, Record) :-
    forall(recorded(Kind, Record, Reference), erase(Reference)).

%! setting(:Name, +Type, +Default, +Comment)
%  As a directive: declares a setting. Type is one that must_be/2 knows. Default is evaluated where Type is a
%  number; env(Variable) and env(Variable, Value) are what the environment has.
setting(Name, Type, Default, Comment) :-
    '$setting_key'(Name, Key),
    must_be(ground, Default),
    '$forget_setting'('$setting', '$setting'(Key, _, _, _)),
    '$setting_evaluated'(Type, Default, Value),
    must_be(Type, Value),
    recordz('$setting', '$setting'(Key, Type, Default, Comment)).

'$setting_key'(Name, Module:Plain) :-
    strip_module(Name, Module, Plain),
    must_be(atom, Plain).

'$setting_evaluated'(Type, Default, Value) :-
    (   Default = env(Variable)
    ->  getenv(Variable, Text),
        '$setting_of_text'(Type, Text, Value)
    ;   Default = env(Variable, Else)
    ->  (   getenv(Variable, Text)
        ->  '$setting_of_text'(Type, Text, Value)
        ;   '$setting_evaluated'(Type, Else, Value)
        )
    ;   '$setting_number'(Type),
        compound(Default)
    ->  Value is Default
    ;   compound(Default),
        Default = _+_,
        memberchk(Type, [atom,text])
    ->  '$setting_joined'(Default, Value)
    ;   Value = Default
    ).

'$setting_number'(integer).
'$setting_number'(nonneg).
'$setting_number'(positive_integer).
'$setting_number'(float).
'$setting_number'(number).
'$setting_number'(between(_, _)).

'$setting_joined'(A+B, Value) :-
    '$setting_joined'(A, Left),
    '$setting_joined'(B, Right),
    atomic_concat(Left, Right, Value).
'$setting_joined'(Atom, Atom) :-
    atomic(Atom).

'$setting_of_text'(Type, Text, Value) :-
    (   memberchk(Type, [atom,text,string])
    ->  Value = Text
    ;   term_to_atom(Value, Text)
    ).

%! setting(:Name, ?Value)
%  Value is that of a setting: what was set, or the default.
%  ?- setting(depth, integer, 3+4, 'How deep'), setting(depth, X).
%  X = 7.
setting(Name, Value) :-
    strip_module(Name, Module, Plain),
    (   nonvar(Plain)
    ->  '$setting_known'(Module:Plain, Key, Type, Default),
        '$setting_now'(Key, Type, Default, Value)
    ;   '$setting'(Module:Plain, Type, Default, _),
        '$setting_now'(Module:Plain, Type, Default, Value)
    ).

'$setting_known'(Name, Name, Type, Default) :-
    '$setting'(Name, Type, Default, _),
    !.
'$setting_known'(Name, _, _, _) :-
    existence_error(setting, Name).

'$setting_now'(Key, Type, Default, Value) :-
    (   '$setting_value'(Key, Set)
    ->  Value = Set
    ;   '$setting_evaluated'(Type, Default, Value)
    ).

%! set_setting(:Name, +Value)
%  Gives a setting a value, which must be of its type.
%  ?- setting(depth, integer, 3, 'How deep'), set_setting(depth, 5), setting(depth, X).
%  X = 5.
set_setting(Name, Value) :-
    strip_module(Name, Module, Plain),
    must_be(atom, Plain),
    '$setting_known'(Module:Plain, Key, Type, _),
    must_be(Type, Value),
    '$forget_setting'('$setting_value', '$setting_value'(Key, _)),
    recordz('$setting_value', '$setting_value'(Key, Value)).

%! restore_setting(:Name)
%  Gives a setting its default again.
restore_setting(Name) :-
    '$setting_key'(Name, Key),
    '$setting_known'(Key, Key, _, _),
    '$forget_setting'('$setting_value', '$setting_value'(Key, _)).

%! set_setting_default(:Name, +Default)
%  Changes the default of a setting.
set_setting_default(Name, Default) :-
    '$setting_key'(Name, Key),
    '$setting_known'(Key, Key, Type, _),
    '$setting_evaluated'(Type, Default, Value),
    must_be(Type, Value),
    '$setting'(Key, Type, _, Comment),
    '$forget_setting'('$setting', '$setting'(Key, _, _, _)),
    recordz('$setting', '$setting'(Key, Type, Default, Comment)).

%! current_setting(?Name, ?Module)
%  There is a setting of this name in Module.
current_setting(Name, Module) :-
    '$setting'(Module:Name, _, _, _).

%! setting_property(:Name, ?Property)
%  Property is type(T), default(D), comment(C) or source(S) of a setting.
setting_property(Name, Property) :-
    strip_module(Name, Module, Plain),
    '$setting'(Module:Plain, Type, Default, Comment),
    member(Property, [type(Type),default(Default),comment(Comment)]).

%! load_settings(+File)
%  Sets what a file says that save_settings/1 has written; it is to be there.
load_settings(File) :-
    load_settings(File, []).

%! load_settings(+File, +Options)
%  As load_settings/1. Option undefined(load) takes settings that nobody has declared yet; else they are errors.
load_settings(File, Options) :-
    option(undefined(Undefined), Options, error),
    setup_call_cleanup(
        open(File, read, Stream),
        ( repeat,
          read(Stream, Term),
          (   Term == end_of_file
          ->  !
          ;   '$setting_loaded'(Term, Undefined),
              fail
          )
        ),
        close(Stream)).

'$setting_loaded'(setting(Key, Value), Undefined) :-
    !,
    (   Undefined == load,
        \+ '$setting'(Key, _, _, _)
    ->  recordz('$setting_value', '$setting_value'(Key, Value))
    ;   set_setting(Key, Value)
    ).
'$setting_loaded'(Term, _) :-
    domain_error(setting_term, Term).

%! save_settings(+File)
%  Writes the settings that are not at their defaults to a file.
save_settings(File) :-
    setup_call_cleanup(
        open(File, write, Stream),
        forall('$setting_value'(Key, Value),
               format(Stream, "~q.~n", [setting(Key, Value)])),
        close(Stream)).

%! list_settings
%  Writes all settings with their values and comments.
list_settings :-
    forall('$setting'(Module:Name, Type, Default, Comment),
           ( '$setting_now'(Module:Name, Type, Default, Value),
             format("~w~t~24|~q~t~40| ~w~n", [Name,Value,Comment])
           )).
