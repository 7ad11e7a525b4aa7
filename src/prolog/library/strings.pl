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

%! atomics_to_string(?Parts, +Separator, ?String)
%  As atomic_list_concat/3, with a string.
%  ?- atomics_to_string([a,1], "-", S).
%  S = "a-1".
atomics_to_string(Parts, Separator, String) :-
    (   is_list(Parts),
        ground(Parts)
    ->  atomic_list_concat(Parts, Separator, Atom),
        atom_string(Atom, String)
    ;   atomic_list_concat(Parts, Separator, String)
    ).

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
%  Text without the blanks that all its lines begin with. A line of blanks only counts as far as it goes. Option
%  chars(Chars) says what blanks are, spaces and tabs by default. With tab(Columns), what is taken off is so many columns
%  wide, and a tab goes to the next multiple of Columns; without, it is the same text in each line. Lines whose
%  numbers are in ignore_indent(Lines) do not count and stay.
%  ?- dedent_lines("  a\n    b\n", S, []).
%  S = "a\n  b\n".
dedent_lines(Text, Dedented, Options) :-
    option(tab(Tab), Options, 0),
    option(chars(Chars), Options, " \t"),
    option(ignore_indent(Ignored0), Options, []),
    (   is_list(Ignored0)
    ->  Ignored = Ignored0
    ;   Ignored = []
    ),
    '$text_codes'(Chars, Blanks),
    split_string(Text, "\n", "", Parts),
    findall(Indent,
            ( nth1(Number, Parts, Part),
              \+ memberchk(Number, Ignored),
              string_codes(Part, Codes),
              '$indent_of'(Codes, Blanks, Tab, Indent) ),
            Indents),
    (   '$common_indent'(Indents, Tab, Common)
    ->  true
    ;   Common = all
    ),
    '$dedent_each'(Parts, 1, Common, Tab, Ignored, Lines),
    atomics_to_string(Lines, "\n", Dedented).

% The blanks before a line, or how wide they are; an open list for a line of blanks only, which has no width.
'$indent_of'(Codes, Blanks, 0, Indent) :- !,
    '$leading'(Codes, Blanks, Indent).
'$indent_of'(Codes, Blanks, Tab, Width) :-
    '$leading'(Codes, Blanks, Leading),
    is_list(Leading),
    '$width_of'(Leading, Tab, 0, Width).

'$leading'([], _, _).
'$leading'([Code|Codes], Blanks, Leading) :-
    (   memberchk(Code, Blanks)
    ->  Leading = [Code|Leading1],
        '$leading'(Codes, Blanks, Leading1)
    ;   Leading = []
    ).

'$width_of'([], _, Width, Width).
'$width_of'([Code|Codes], Tab, Width0, Width) :-
    '$next_column'(Code, Tab, Width0, Width1),
    '$width_of'(Codes, Tab, Width1, Width).

'$next_column'(Code, Tab, Column0, Column) :-
    (   Code =:= 0'\t
    ->  Column is (Column0//Tab+1)*Tab
    ;   Column is Column0+1
    ).

% Fails if there are lines of blanks only.
'$common_indent'([First|Indents], Tab, Common) :-
    (   Tab =:= 0
    ->  foldl('$common_start', Indents, First, Common0),
        is_list(Common0),
        string_codes(Common, Common0)
    ;   min_list([First|Indents], Common)
    ).

'$common_start'(One, Other, Common) :-
    (   var(One)
    ->  Common = Other
    ;   var(Other)
    ->  Common = One
    ;   One = [Code|One1],
        Other = [Code|Other1]
    ->  Common = [Code|Common1],
        '$common_start'(One1, Other1, Common1)
    ;   Common = []
    ).

'$dedent_each'([], _, _, _, _, []).
'$dedent_each'([Part|Parts], Number, Common, Tab, Ignored, [Line|Lines]) :-
    (   memberchk(Number, Ignored)
    ->  Line = Part
    ;   integer(Common)
    ->  string_codes(Part, Codes),
        '$without_columns'(Codes, 0, Common, Tab, Rest),
        string_codes(Line, Rest)
    ;   string_concat(Common, Line0, Part)
    ->  Line = Line0
    ;   Line = ""
    ),
    Number1 is Number+1,
    '$dedent_each'(Parts, Number1, Common, Tab, Ignored, Lines).

% What a tab takes too much is given back as spaces.
'$without_columns'(Codes, Column, Width, Tab, Rest) :-
    (   Column >= Width
    ->  Spaces is Column-Width,
        format(codes(Rest, Codes), "~*c", [Spaces,0'\s])
    ;   Codes = [Code|Codes1]
    ->  '$next_column'(Code, Tab, Column, Column1),
        '$without_columns'(Codes1, Column1, Width, Tab, Rest)
    ;   Rest = []
    ).

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

%! interpolate_string(+Text, -String, :Map, +Options)
%  String is Text with the value of each {Name}, from Name = Value in the list Map, or the default of {Name,Default}. With
%  option goals(true), {@Goal} is what Goal writes. Other braces stay.
%  ?- interpolate_string("hello {to}", S, [to=world], []).
%  S = "hello world".
interpolate_string(Text, String, Map0, Options) :-
    strip_module(Map0, _, Map),
    string_codes(Text, Codes),
    phrase('$interpolated'(Parts, Map, Options), Codes), !,
    atomics_to_string(Parts, String).

'$interpolated'([Value|Parts], Map, Options) -->
    "{", '$template'(Map, Options, Value), "}", !,
    '$interpolated'(Parts, Map, Options).
'$interpolated'([Char|Parts], Map, Options) -->
    [Code], !,
    { char_code(Char, Code) },
    '$interpolated'(Parts, Map, Options).
'$interpolated'([], _, _) --> [].

'$template'(Map, _, Value) -->
    '$template_name'(Codes), !,
    { atom_codes(Name, Codes) },
    (   ","
    ->  string_without("}", Rest),
        { string_codes(Default, Rest),
          Given = default(Default)
        }
    ;   { Given = none }
    ),
    { '$template_value'(Name, Given, Map, Value0),
      format(string(Value), "~w", [Value0])
    }.
'$template'(_, Options, Value) -->
    { option(goals(true), Options, false) },
    "@", string_without("}", Codes),
    { string_codes(Text, Codes),
      term_string(Goal, Text),
      with_output_to(string(Value), call(Goal))
    }.

'$template_name'([Code|Codes]) -->
    [Code],
    { code_type(Code, csymf) },
    csyms(Codes),
    '$template_end'.

% What stands behind a name is looked at and stays.
'$template_end', [Code] -->
    [Code],
    { memberchk(Code, `},`) }.

'$template_value'(Name, Given, Map, Value) :-
    (   memberchk(Name=Value0, Map)
    ->  Value = Value0
    ;   Given = default(Value0)
    ->  Value = Value0
    ;   atom_codes(Name, [Code|_]),
        code_type(Code, prolog_var_start),
        existence_error(template_var, Name)
    ).
