% messages.pl: messages to the person at the terminal.

%! print_message(+Kind, +Message)
%  Writes a message to the error stream; kinds silent, informational and debug
%  write nothing.  A user's message_hook(Message, Kind, Lines) comes first.
%  ?- print_message(silent, format("not shown", [])).
%  true.
print_message(Kind, Message) :-
    '$message_lines'(Message, Lines),
    (   catch(call(message_hook(Message, Kind, Lines)), _, fail)
    ->  true
    ;   '$message_prefix'(Kind, Prefix)
    ->  print_message_lines(user_error, Prefix, Lines)
    ;   true
    ).

'$message_prefix'(error, 'ERROR: ').
'$message_prefix'(warning, 'Warning: ').
'$message_prefix'(help, '').
'$message_prefix'(information, '').
'$message_prefix'(banner, '').

'$message_lines'(Message, Lines) :-
    (   var(Message)
    ->  Lines = ['Unknown message: ~p'-[Message], nl]
    ;   catch(call(message(Message, Lines0, [])), _, fail)
    ->  append(Lines0, [nl], Lines)
    ;   Message = format(Format, Arguments)
    ->  Lines = [Format-Arguments, nl]
    ;   Message = error(_, _)
    ->  '$describe_error'(Message, Text),
        Lines = ['~w'-[Text], nl]
    ;   Lines = ['~p'-[Message], nl]
    ).

%! print_message_lines(+Stream, +Prefix, +Lines)
%  Writes the parts of a message: Format-Arguments, nl, or text.
%  ?- print_message_lines(user_output, '% ', ['~w is ~w'-[a,b], nl]).
%  % a is b
%  true.
print_message_lines(Stream, Prefix0, Lines) :-
    '$line_prefix'(Prefix0, Prefix),
    '$start_line'(Lines, Stream, Prefix).

'$line_prefix'(Prefix0, Prefix) :-
    (   nonvar(Prefix0),
        Prefix0 = kind(Kind)
    ->  (   '$message_prefix'(Kind, Prefix1)
        ->  Prefix = Prefix1
        ;   Prefix = ''
        )
    ;   Prefix = Prefix0
    ).

'$start_line'([], _, _).
'$start_line'([Part|Parts], Stream, Prefix) :-
    format(Stream, Prefix, []),
    '$message_part'(Part, Parts, Stream, Prefix).

'$message_parts'([], _, _).
'$message_parts'([Part|Parts], Stream, Prefix) :-
    '$message_part'(Part, Parts, Stream, Prefix).

'$message_part'(Part, Parts, Stream, Prefix) :-
    (   Part == nl
    ->  nl(Stream),
        '$start_line'(Parts, Stream, Prefix)
    ;   Part == flush
    ->  flush_output(Stream)
    ;   '$write_part'(Part, Stream),
        '$message_parts'(Parts, Stream, Prefix)
    ).

'$write_part'(Part, Stream) :-
    (   Part = Format-Arguments
    ->  format(Stream, Format, Arguments)
    ;   Part = ansi(_, Format, Arguments)
    ->  format(Stream, Format, Arguments)
    ;   Part = at_same_line
    ->  true
    ;   format(Stream, Part, [])
    ).

