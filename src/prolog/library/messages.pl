% messages.pl: messages to the person at the terminal.

%! print_message(+Kind, +Message)
%  Writes a message to the error stream; kinds silent, informational and debug
%  write nothing.  A user's message_hook(Message, Kind, Lines) comes first. The lines of a message are those of the
%  program's prolog:message//1 or message//1, if these have any.
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
    ;   '$message_of_program'(Message, Lines0)
    ->  append(Lines0, [nl], Lines)
    ;   Message = format(Format, Arguments)
    ->  Lines = [Format-Arguments, nl]
    ;   Message = error(_, _)
    ->  '$describe_error'(Message, Text),
        Lines = ['~w'-[Text], nl]
    ;   Lines = ['~p'-[Message], nl]
    ).

% What the program says of a message, in the module of hooks or its own.
'$message_of_program'(Message, Lines) :-
    catch(prolog:message(Message, Lines, []), _, fail),
    !.
'$message_of_program'(Message, Lines) :-
    catch(call(message(Message, Lines, [])), _, fail),
    !.

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
    ;   Part = url(Place)
    ->  '$write_place'(Place, Stream)
    ;   Part = url(_, Label)
    ->  write(Stream, Label)
    ;   '$part_without_text'(Part)
    ->  true
    ;   format(Stream, Part, [])
    ).

'$part_without_text'(at_same_line).
'$part_without_text'(begin(_, _)).
'$part_without_text'(end(_)).

'$write_place'(Place, Stream) :-
    (   Place = File:Line:Column
    ->  format(Stream, "~w:~d:~d", [File,Line,Column])
    ;   Place = File:Line,
        integer(Line)
    ->  format(Stream, "~w:~d", [File,Line])
    ;   write(Stream, Place)
    ).

%! message_to_codes(+Message, -Kind, -Codes)
%  Codes are the text of a message; Kind stays unbound.
%  ?- message_to_codes(format("at ~w", [home]), _, Codes), atom_codes(Text, Codes).
%  Text = 'at home\n'.
message_to_codes(Message, _, Codes) :-
    '$message_lines'(Message, Lines),
    with_output_to(codes(Codes),
                   ( current_output(Stream),
                     print_message_lines(Stream, '', Lines) )).
