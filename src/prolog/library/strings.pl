% strings.pl: helpers on text that need nothing but the built-in ones.

%! read_term_from_atom(+Atom, -Term, +Options)
%  The term that a text holds.
%  ?- read_term_from_atom('f(X,b)', T, []), arg(2, T, A).
%  A = b.
read_term_from_atom(Atom, Term, _) :-
    term_to_atom(Term, Atom).

%! sformat(-String, +Format, +Arguments)
%  What format/2 writes, as a string.
%  ?- sformat(S, 'a~w', [1]).
%  S = "a1".
sformat(String, Format, Arguments) :-
    format(string(String), Format, Arguments).

%! string_lines(?String, ?Lines)
%  The lines of a string, without their ends.
%  ?- string_lines("a\nb\n", L).
%  L = ["a","b"].
string_lines(String, Lines) :-
    (   nonvar(String),
        is_list(Lines),
        ground(Lines)
    ->  split_string(String, "\n", "", Parts),
        '$same_lines'(Lines, Parts)
    ;   nonvar(String)
    ->  split_string(String, "\n", "", Parts),
        '$without_last_empty'(Parts, Lines)
    ;   '$lines_text'(Lines, Parts),
        atomics_to_string(Parts, String)
    ).

'$lines_text'([], []).
'$lines_text'([Line|Lines], [Line,"\n"|Parts]) :-
    '$lines_text'(Lines, Parts).

% The last part is what stands behind the last new line.
'$same_lines'([], [""]).
'$same_lines'([], []).
'$same_lines'([Line|Lines], [Part|Parts]) :-
    text_to_string(Line, Part),
    '$same_lines'(Lines, Parts), !.

'$without_last_empty'([Part|Parts], Lines) :-
    (   Parts == []
    ->  (   Part == ""
        ->  Lines = []
        ;   Lines = [Part]
        )
    ;   Lines = [Part|Lines1],
        '$without_last_empty'(Parts, Lines1)
    ).

%! sub_atom_icasechk(+Text, ?Start, +Part)
%  Part stands in Text at Start, whatever the case of letters.
%  ?- sub_atom_icasechk('Hello World', S, world).
%  S = 6.
sub_atom_icasechk(Text, Start, Part) :-
    downcase_atom(Text, Low),
    downcase_atom(Part, LowPart),
    sub_atom(Low, Start, _, _, LowPart), !.

%! dedent_lines(+Text, -Dedented, +Options)
%  Text without the blanks that all its lines begin with, and without a first line of blanks only.
%  Option tab(Columns) says how wide a tab is, 8 by default; ignore_indent(Lines) are lines that do
%  not count.
%  ?- dedent_lines("  a\n    b\n", S, []).
%  S = "a\n  b\n".
dedent_lines(Text, Dedented, Options) :-
    option(tab(Tab), Options, 8),
    option(ignore_indent(Ignored), Options, []),
    split_string(Text, "\n", "", Parts),
    length(Parts, Count),
    findall(Indent,
            ( nth1(Number, Parts, Part),
              \+ memberchk(Number, Ignored),
              split_string(Part, "", " \t", [Rest]),
              ( Rest \== "" -> true ; Number =:= Count, Count > 1, Part \== "" ),
              '$indent_of'(Part, Tab, Indent) ),
            Indents),
    (   Indents == []
    ->  Least = 0
    ;   min_list(Indents, Least)
    ),
    '$dedent_each'(Parts, 1, Least, Tab, Ignored, Lines),
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Dedented).

'$indent_of'(Line, Tab, Indent) :-
    string_codes(Line, Codes),
    '$indent_codes'(Codes, Tab, 0, Indent).

'$indent_codes'([0' |Codes], Tab, Column, Indent) :- !,
    Column1 is Column+1,
    '$indent_codes'(Codes, Tab, Column1, Indent).
'$indent_codes'([0'\t|Codes], Tab, Column, Indent) :- !,
    Column1 is (Column//Tab+1)*Tab,
    '$indent_codes'(Codes, Tab, Column1, Indent).
'$indent_codes'(_, _, Indent, Indent).

'$dedent_each'([], _, _, _, _, []).
'$dedent_each'([Part|Parts], Number, Least, Tab, Ignored, [Line|Lines]) :-
    (   memberchk(Number, Ignored)
    ->  Line = Part
    ;   split_string(Part, "", " \t", [""])
    ->  Line = ""
    ;   '$indent_of'(Part, Tab, Indent),
        string_codes(Part, Codes),
        '$without_blanks'(Codes, Rest),
        Left is Indent-Least,
        length(Blanks, Left),
        maplist(=(0' ), Blanks),
        append(Blanks, Rest, LineCodes),
        string_codes(Line, LineCodes)
    ),
    Number1 is Number+1,
    '$dedent_each'(Parts, Number1, Least, Tab, Ignored, Lines).

'$without_blanks'([Code|Codes], Rest) :-
    ( Code =:= 0'  ; Code =:= 0'\t ), !,
    '$without_blanks'(Codes, Rest).
'$without_blanks'(Rest, Rest).

%! indent_lines(+Prefix, +Text, -Indented), indent_lines(:Filter, +Prefix, +Text, -Indented)
%  Text with Prefix before each line for which call(Filter, Line) is true; by default before each
%  that has more than blanks.
%  ?- indent_lines("  ", "a\nb", S).
%  S = "  a\n  b".
indent_lines(Prefix, Text, Indented) :-
    indent_lines('$not_blank', Prefix, Text, Indented).

'$not_blank'(Line) :-
    \+ split_string(Line, "", " \t", [""]).

indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Parts),
    '$indent_each'(Parts, Filter, Prefix, Lines),
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, Indented).

'$indent_each'([], _, _, []).
% Behind the last line end there is no line.
'$indent_each'([""], _, _, [""]) :- !.
'$indent_each'([Part|Parts], Filter, Prefix, [Line|Lines]) :-
    (   '$filter_line'(Filter, Part)
    ->  string_concat(Prefix, Part, Line)
    ;   Line = Part
    ),
    '$indent_each'(Parts, Filter, Prefix, Lines).

'$filter_line'('$not_blank', Line) :- !,
    '$not_blank'(Line).
'$filter_line'(Filter, Line) :-
    call(Filter, Line).

%! interpolate_string(+Text, -String, +Map, +Options)
%  String is Text with the value of each {Name}, from Name = Value in the list Map, or the default
%  of {Name,Default}.
%  ?- interpolate_string("hello {to}", S, [to=world], []).
%  S = "hello world".
interpolate_string(Text, String, Map, _) :-
    string_codes(Text, Codes),
    phrase('$interpolated'(Parts, Map), Codes), !,
    atomics_to_string(Parts, String).

'$interpolated'([Value|Parts], Map) -->
    "{", '$template_name'(Codes), !,
    { atom_codes(Name, Codes) },
    '$template_default'(Default),
    { '$template_value'(Name, Default, Map, Value) },
    '$interpolated'(Parts, Map).
'$interpolated'([Char|Parts], Map) -->
    [Code], !,
    { char_code(Char, Code) },
    '$interpolated'(Parts, Map).
'$interpolated'([], _) --> [].

'$template_name'([Code|Codes]) -->
    [Code],
    { code_type(Code, csymf) },
    '$template_more'(Codes).

'$template_more'([Code|Codes]) -->
    [Code],
    { code_type(Code, csym) }, !,
    '$template_more'(Codes).
'$template_more'([]) --> [].

'$template_default'(none) --> "}", !.
'$template_default'(default(Default)) -->
    ",", '$template_text'(Codes), "}",
    { atom_codes(Default, Codes) }.

'$template_text'([]) --> [].
'$template_text'([Code|Codes]) -->
    [Code],
    '$template_text'(Codes).

'$template_value'(Name, Default, Map, Value) :-
    (   memberchk(Name=Value0, Map)
    ->  Value = Value0
    ;   Default = default(Value0)
    ->  Value = Value0
    ;   existence_error(template_var, Name)
    ).
