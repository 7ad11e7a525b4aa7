% io.pl: streams, output into terms, operators and flags, over built-ins that
% do one step.

%! with_output_to(+Sink, :Goal)
%  Calls Goal once; what it writes goes to Sink: atom(A), string(S), codes(Cs),
%  codes(Cs, Tail), chars(Cs) or chars(Cs, Tail).
%  ?- with_output_to(atom(A), (write(a), write(1))).
%  A = a1.
with_output_to(Sink, Goal) :-
    '$check_sink'(Sink),
    '$captured'(Goal, Text),
    '$fill_sink'(Sink, Text).

'$captured'(Goal, Text) :-
    '$push_output'(Depth),
    (   catch(Goal, Ball, ('$pop_output'(Depth, _), throw(Ball)))
    ->  '$pop_output'(Depth, Text)
    ;   '$pop_output'(Depth, _),
        fail
    ).

'$captured_all'([], []).
'$captured_all'([Goal|Goals], [Text|Texts]) :-
    '$captured'(Goal, Text),
    '$captured_all'(Goals, Texts).

%! format(+Format)
%  Writes Format, a text with directives.
%  ?- format("hi~n").
%  hi
%  true.
format(Format) :-
    format(Format, []).

%! format(+Format, +Arguments)
%  Writes Format with its directives replaced by the arguments.
%  ?- format("~w is ~2f~n", [pi, 3.14159]).
%  pi is 3.14
%  true.
format(Format, Arguments) :-
    '$format_goals'(Format, Arguments, Goals),
    (   Goals == []
    ->  '$format'(Format, Arguments)
    ;   '$captured_all'(Goals, Texts),
        '$format_called'(Format, Arguments, Texts)
    ).

%! format(+Output, +Format, +Arguments)
%  As format/2; Output is a stream or, as in with_output_to/2, a sink.
%  ?- format(atom(A), "~a-~d", [x, 3]).
%  A = 'x-3'.
format(Output, Format, Arguments) :-
    (   '$is_sink'(Output)
    ->  '$captured'(format(Format, Arguments), Text),
        '$fill_sink'(Output, Text)
    ;   '$format_goals'(Format, Arguments, Goals),
        (   Goals == []
        ->  '$format'(Output, Format, Arguments)
        ;   '$captured_all'(Goals, Texts),
            '$format_called'(Output, Format, Arguments, Texts)
        )
    ).

%! print(+Term)
%  Writes Term by the program's portray/1, or else as writeq/1 does.
%  ?- print('A b').
%  'A b'
%  true.
print(Term) :-
    (   '$portray'
    ->  '$portrayed'(Term, Shown, Names, []),
        write_term(Shown, [quoted(true), numbervars(true), variable_names(Names)])
    ;   '$print'(Term)
    ).

% '$portrayed'(Term, Shown, Names, Tail): Shown is Term with a variable in place of
% each part that portray/1 writes, named with what it wrote.
'$portrayed'(Term, Shown, Names, Tail) :-
    (   var(Term)
    ->  Shown = Term,
        Names = Tail
    ;   '$captured'(\+ \+ call(portray(Term)), Text)
    ->  atom_string(Name, Text),
        Names = [Name=Shown|Tail]
    ;   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments),
        '$portrayed_all'(Arguments, Shown1, Names, Tail),
        compound_name_arguments(Shown, Name, Shown1)
    ;   Shown = Term,
        Names = Tail
    ).

'$portrayed_all'([], [], Names, Names).
'$portrayed_all'([Term|Terms], [Shown|Shown1], Names, Tail) :-
    '$portrayed'(Term, Shown, Names, Names1),
    '$portrayed_all'(Terms, Shown1, Names1, Tail).

%! print(+Stream, +Term)
%  As print/1, to Stream.
%  ?- print(user_output, f(X)).
%  f(_123)
%  true.
print(Stream, Term) :-
    (   '$portray'
    ->  '$captured'(print(Term), Text),
        write(Stream, Text)
    ;   '$print'(Stream, Term)
    ).

%! tab(+N)
%  Writes N spaces; N may be an expression.
%  ?- tab(1+1), write(x).
%    x
%  true.
tab(N) :-
    Count is N,
    '$tab'(Count).

%! tab(+Stream, +N)
%  As tab/1, to Stream.
%  ?- tab(user_output, 2).
%  true.
tab(Stream, N) :-
    Count is N,
    '$tab'(Stream, Count).

%! put(+Stream, +Character)
%  Writes a character, given as itself or by its code.
%  ?- put(user_output, 0'a).
%  a
%  true.
put(Stream, Character) :-
    (   integer(Character)
    ->  put_code(Stream, Character)
    ;   put_char(Stream, Character)
    ).

%! stream_property(?Stream, ?Property)
%  Property holds of the open Stream: alias(A), mode(M), input, output,
%  file_name(F), end_of_stream(E), eof_action(A), position(P), type(T),
%  encoding(E), reposition(B), buffer(B), newline(N).
%  ?- stream_property(S, alias(user_output)), stream_property(S, mode(M)).
%  M = append.
stream_property(Stream, Property) :-
    '$check_stream_property'(Property),
    (   var(Stream)
    ->  '$streams'(Streams),
        member(Stream, Streams)
    ;   true
    ),
    '$stream_properties'(Stream, Properties),
    (   nonvar(Property),
        \+ Property = alias(_)
    ->  memberchk(Property, Properties)     % all the others hold at most once
    ;   member(Property, Properties)
    ).

%! current_stream(?File, ?Mode, ?Stream)
%  Stream is open on File (`[]` without one) for read, write or append.
%  ?- current_stream(_, append, S).
current_stream(File, Mode, Stream) :-
    stream_property(Stream, mode(Mode)),
    (   stream_property(Stream, file_name(Name))
    ->  File = Name
    ;   File = []
    ).

%! stream_position_data(?Field, +Position, -Value)
%  Field of a position: char_count, line_count, line_position or byte_count.
%  ?- stream_property(S, alias(user_input)), stream_property(S, position(P)),
%     stream_position_data(line_count, P, L).
%  L = 1.
stream_position_data(char_count, '$stream_position'(C, _, _, _), C).
stream_position_data(line_count, '$stream_position'(_, L, _, _), L).
stream_position_data(line_position, '$stream_position'(_, _, P, _), P).
stream_position_data(byte_count, '$stream_position'(_, _, _, B), B).

%! current_op(?Priority, ?Type, ?Name)
%  Name is an operator of this priority and type.
%  ?- current_op(P, xfx, is).
%  P = 700.
current_op(Priority, Type, Name) :-
    '$check_op'(Priority, Type, Name),
    '$ops'(Name, Operators),
    member(op(Priority, Type, Name), Operators).

%! current_prolog_flag(?Flag, ?Value)
%  Value is that of Flag.
%  ?- current_prolog_flag(bounded, B).
%  B = false.
current_prolog_flag(Flag, Value) :-
    (   var(Flag)
    ->  '$flags'(Flags),
        member(Flag-Value, Flags)
    ;   '$flag'(Flag, Value)
    ).

%! read_string(+Stream, +Separators, +Pad, -Separator, -String)
%  The text of Stream up to a character of Separators or the end, without the
%  characters of Pad around it; Separator is the code that ended it, or -1.
%  ?- open_string("a,b", S), read_string(S, ",", " ", Sep, T).
%  Sep = 44, T = "a".
read_string(Stream, Separators, Pad, Separator, String) :-
    string_codes(Separators, Ends),
    get_code(Stream, Code),
    (   Code == -1
    ->  Separator = -1,
        Codes = []
    ;   '$read_until'(Code, Stream, Ends, Codes, Separator)
    ),
    string_codes(Text, Codes),
    split_string(Text, "", Pad, [String]).

'$read_until'(Code, Stream, Ends, Codes, Separator) :-
    (   ( Code == -1 ; memberchk(Code, Ends) )
    ->  Codes = [],
        Separator = Code
    ;   Codes = [Code|Codes1],
        get_code(Stream, Next),
        '$read_until'(Next, Stream, Ends, Codes1, Separator)
    ).

%! copy_stream_data(+In, +Out)
%  Copies what is left in In to Out.
%  ?- open_string("abc", S), copy_stream_data(S, user_output).
%  abc
%  true.
copy_stream_data(In, Out) :-
    get_char(In, Char),
    (   Char == end_of_file
    ->  true
    ;   put_char(Out, Char),
        copy_stream_data(In, Out)
    ).

%! copy_stream_data(+In, +Out, +N)
%  Copies N characters, or fewer when In ends before.
%  ?- open_string("abc", S), copy_stream_data(S, user_output, 2).
%  ab
%  true.
copy_stream_data(In, Out, N) :-
    (   N =< 0
    ->  true
    ;   get_char(In, Char),
        (   Char == end_of_file
        ->  true
        ;   put_char(Out, Char),
            N1 is N - 1,
            copy_stream_data(In, Out, N1)
        )
    ).
