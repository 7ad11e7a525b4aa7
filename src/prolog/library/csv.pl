% csv.pl: tables as text, fields between commas (RFC 4180).
%
% Options are kept in '$csv'(Separator, Strip, IgnoreQuotes, Convert, Case, Functor, Arity, MatchArity, SkipHeader);
% Arity is that of the first row unless rows may differ.

%! csv(?Rows)//
%  Codes of a table whose rows are terms row(Field, ...).
%  ?- atom_codes('a,1\nb,2\n', Codes), phrase(csv(Rows), Codes).
%  Rows = [row(a,1),row(b,2)].
csv(Rows) -->
    csv(Rows, []).

%! csv(?Rows, +Options)//
%  As csv//1. Options: separator(Code); strip(Boolean), blanks around fields; ignore_quotes(Boolean);
%  convert(Boolean), numbers, true by default; case(down), case(up) or case(preserve) of other fields; functor(Name) of
%  rows; arity(N); match_arity(Boolean), whether all rows must have the same; skip_header(Text) of lines to be left out.
%  ?- atom_codes('A;b', Codes), phrase(csv(Rows, [separator(0';), case(down)]), Codes).
%  Rows = [row(a,b)].
csv(Rows, Options, Codes, Rest) :-
    csv_options(Compiled, Options),
    (   ground(Codes)
    ->  '$csv_skip'(Compiled, Codes, Codes1),
        '$csv_rows'(Codes1, Compiled, Rows, Rest)
    ;   must_be(list, Rows),
        '$csv_emit'(Rows, Compiled, Codes, Rest)
    ).

%! csv_options(-Compiled, +Options)
%  Compiled is Options in the form that csv_read_row/3 takes.
csv_options('$csv'(Separator, Strip, Ignore, Convert, Case, Functor, Arity, Match, Skip), Options) :-
    option(separator(Separator0), Options, 0',),
    '$csv_code'(Separator0, Separator),
    option(strip(Strip), Options, false),
    option(ignore_quotes(Ignore), Options, false),
    option(convert(Convert), Options, true),
    option(case(Case), Options, preserve),
    option(functor(Functor), Options, row),
    option(arity(Arity), Options, _),
    option(match_arity(Match), Options, true),
    option(skip_header(Skip), Options, []),
    maplist(must_be(boolean), [Strip,Ignore,Convert,Match]),
    must_be(oneof([preserve,down,up]), Case),
    must_be(atom, Functor).

'$csv_code'(Separator, Code) :-
    (   integer(Separator)
    ->  Code = Separator
    ;   atom_length(Separator, 1)
    ->  char_code(Separator, Code)
    ;   type_error(character_code, Separator)
    ).

'$csv_skip'(Compiled, Codes, Rest) :-
    arg(9, Compiled, Skip),
    (   Skip == []
    ->  Rest = Codes
    ;   atom_codes(Skip, Prefix),
        '$csv_skip_lines'(Codes, Prefix, Rest)
    ).

'$csv_skip_lines'(Codes, Prefix, Rest) :-
    (   append(Prefix, _, Codes)
    ->  '$csv_line_rest'(Codes, Codes1),
        '$csv_skip_lines'(Codes1, Prefix, Rest)
    ;   Rest = Codes
    ).

'$csv_line_rest'([], []).
'$csv_line_rest'([C|Cs], Rest) :-
    (   C == 0'\n
    ->  Rest = Cs
    ;   '$csv_line_rest'(Cs, Rest)
    ).

'$csv_rows'([], _, [], []) :- !.
'$csv_rows'(Codes, Options, [Row|Rows], Rest) :-
    '$csv_row'(Codes, Options, Row, Codes1),
    '$csv_rows'(Codes1, Options, Rows, Rest).

'$csv_row'(Codes, Options, Row, Rest) :-
    '$csv_fields'(Codes, Options, Fields, Rest),
    arg(6, Options, Functor),
    length(Fields, Arity),
    (   arg(8, Options, true)
    ->  arg(7, Options, Wanted),
        (   Wanted = Arity
        ->  true
        ;   domain_error(row_arity(Wanted), Arity)
        )
    ;   true
    ),
    Row =.. [Functor|Fields].

'$csv_fields'(Codes, Options, [Field|Fields], Rest) :-
    arg(1, Options, Separator),
    '$csv_field'(Codes, Separator, Options, Text, Codes1),
    '$csv_value'(Text, Options, Field),
    '$csv_behind'(Codes1, Separator, Options, Fields, Rest).

'$csv_behind'([], _, _, [], []).
'$csv_behind'([C|Cs], Separator, Options, Fields, Rest) :-
    (   C == Separator
    ->  '$csv_fields'(Cs, Options, Fields, Rest)
    ;   C == 0'\r,
        Cs = [0'\n|Rest0]
    ->  Fields = [],
        Rest = Rest0
    ;   '$csv_line_end'(C),
        Fields = [],
        Rest = Cs
    ).

'$csv_line_end'(0'\n).
'$csv_line_end'(0'\r).

'$csv_field'(Codes, Separator, Options, Text, Rest) :-
    (   arg(3, Options, false),
        '$csv_blanks'(Options, Codes, [0'"|Cs])
    ->  '$csv_quoted'(Cs, Text, Rest0),
        '$csv_blanks'(Options, Rest0, Rest)
    ;   '$csv_plain'(Codes, Separator, Text0, Rest),
        '$csv_stripped'(Options, Text0, Text)
    ).

% Blanks around a quoted field are left out where fields are stripped.
'$csv_blanks'(Options, Codes, Rest) :-
    (   arg(2, Options, true),
        Codes = [C|Cs],
        '$csv_blank'(C)
    ->  '$csv_blanks'(Options, Cs, Rest)
    ;   Rest = Codes
    ).

'$csv_blank'(0'\s).
'$csv_blank'(0'\t).

'$csv_quoted'([C|Cs], Text, Rest) :-
    (   C \== 0'"
    ->  Text = [C|Text1],
        '$csv_quoted'(Cs, Text1, Rest)
    ;   Cs = [0'"|Cs1]
    ->  Text = [C|Text1],
        '$csv_quoted'(Cs1, Text1, Rest)
    ;   Text = [],
        Rest = Cs
    ).

'$csv_plain'([], _, [], []).
'$csv_plain'([C|Cs], Separator, Text, Rest) :-
    (   ( C == Separator ; '$csv_line_end'(C) )
    ->  Text = [],
        Rest = [C|Cs]
    ;   Text = [C|Text1],
        '$csv_plain'(Cs, Separator, Text1, Rest)
    ).

'$csv_stripped'(Options, Text0, Text) :-
    (   arg(2, Options, true)
    ->  string_codes(String, Text0),
        normalize_space(codes(_), String),
        split_string(String, "", " \t", [Stripped]),
        string_codes(Stripped, Text)
    ;   Text = Text0
    ).

'$csv_value'(Codes, Options, Value) :-
    (   arg(4, Options, true),
        Codes = [C|_],
        \+ code_type(C, space),
        catch(number_codes(Number, Codes), error(syntax_error(_), _), fail)
    ->  Value = Number
    ;   arg(5, Options, Case),
        atom_codes(Atom, Codes),
        '$csv_case'(Case, Atom, Value)
    ).

'$csv_case'(preserve, Atom, Atom).
'$csv_case'(down, Atom, Value) :- downcase_atom(Atom, Value).
'$csv_case'(up, Atom, Value) :- upcase_atom(Atom, Value).

'$csv_emit'([], _, Rest, Rest).
'$csv_emit'([Row|Rows], Options, Codes, Rest) :-
    must_be(compound, Row),
    Row =.. [_|Fields],
    arg(1, Options, Separator),
    '$csv_emit_fields'(Fields, Separator, Codes, [0'\r,0'\n|Codes1]),
    '$csv_emit'(Rows, Options, Codes1, Rest).

'$csv_emit_fields'([], _, Rest, Rest).
'$csv_emit_fields'([Field|Fields], Separator, Codes, Rest) :-
    '$csv_text'(Field, Text),
    (   \+ number(Field),
        member(C, Text),
        memberchk(C, [Separator,0'",0'\n,0'\r])
    ->  Codes = [0'"|Codes1],
        '$csv_emit_quoted'(Text, Codes1, [0'"|Codes2])
    ;   append(Text, Codes2, Codes)
    ),
    (   Fields == []
    ->  Codes2 = Rest
    ;   Codes2 = [Separator|Codes3],
        '$csv_emit_fields'(Fields, Separator, Codes3, Rest)
    ).

'$csv_text'(Field, Text) :-
    (   var(Field)
    ->  instantiation_error(Field)
    ;   atomic(Field)
    ->  format(codes(Text), "~w", [Field])
    ;   type_error(atomic, Field)
    ).

'$csv_emit_quoted'([], Rest, Rest).
'$csv_emit_quoted'([C|Cs], Codes, Rest) :-
    (   C == 0'"
    ->  Codes = [C,C|Codes1]
    ;   Codes = [C|Codes1]
    ),
    '$csv_emit_quoted'(Cs, Codes1, Rest).

% The separator by the name of a file: tabulators in .tsv.
'$csv_file_options'(File, Options, [separator(Separator)|Options]) :-
    \+ option(separator(_), Options),
    file_name_extension(_, Extension, File),
    downcase_atom(Extension, tsv),
    !,
    Separator = 0'\t.
'$csv_file_options'(_, Options, Options).

'$csv_file'(Spec, File, Access) :-
    absolute_file_name(Spec, File, [extensions(['',csv,tsv]),access(Access),file_errors(error)]).

%! csv_read_file(+File, -Rows)
%  Rows are those of a file; fields are between tabulators if its name ends in `.tsv`.
csv_read_file(File, Rows) :-
    csv_read_file(File, Rows, []).

%! csv_read_file(+File, -Rows, +Options)
%  As csv_read_file/2, with the options of csv//2.
csv_read_file(Spec, Rows, Options) :-
    '$csv_file'(Spec, File, read),
    '$csv_file_options'(File, Options, All),
    read_file_to_codes(File, Codes, []),
    phrase(csv(Rows, All), Codes).

%! csv_read_stream(+Stream, -Rows, +Options)
%  Rows are those of what is left of Stream.
csv_read_stream(Stream, Rows, Options) :-
    read_stream_to_codes(Stream, Codes),
    phrase(csv(Rows, Options), Codes).

%! csv_read_file_row(+File, -Row, +Options)
%  Row is one of a file, each in turn. Options are those of csv//2, and line(N): N is the line of the row, from 1.
csv_read_file_row(Spec, Row, Options) :-
    '$csv_file'(Spec, File, read),
    '$csv_file_options'(File, Options, All),
    csv_options(Compiled, All),
    option(line(Line), Options, _),
    setup_call_cleanup(
        open(File, read, Stream),
        '$csv_stream_row'(Stream, Compiled, Row, Line),
        close(Stream)).

'$csv_stream_row'(Stream, Compiled, Row, Line) :-
    repeat,
    line_count(Stream, Line0),
    csv_read_row(Stream, Row0, Compiled),
    (   Row0 == end_of_file
    ->  !,
        fail
    ;   Row = Row0,
        Line = Line0
    ).

%! csv_read_row(+Stream, -Row, +Compiled)
%  Row is the next one of Stream, or end_of_file; Compiled is what csv_options/2 gives.
csv_read_row(Stream, Row, Compiled) :-
    '$csv_record'(Stream, Compiled, Codes),
    (   Codes == []
    ->  Row = end_of_file
    ;   '$csv_row'(Codes, Compiled, Row0, _)
    ->  Row = Row0
    ;   atom_codes(Line, Codes),
        throw(error(syntax_error(csv_row(Line)), _))
    ).

% The codes of a row with its line end: a line, and those behind it while quotes are open.
'$csv_record'(Stream, Compiled, Codes) :-
    '$csv_line'(Stream, Codes0),
    arg(9, Compiled, Skip),
    (   Skip \== [],
        Codes0 \== [],
        line_count(Stream, Line),
        Line =< 2,
        atom_codes(Skip, Prefix),
        append(Prefix, _, Codes0)
    ->  '$csv_record'(Stream, Compiled, Codes)
    ;   '$csv_open'(Compiled, Codes0)
    ->  '$csv_record_rest'(Stream, Compiled, Codes0, Codes)
    ;   Codes = Codes0
    ).

'$csv_record_rest'(Stream, Compiled, Codes0, Codes) :-
    '$csv_line'(Stream, More),
    append(Codes0, More, Codes1),
    (   More \== [],
        '$csv_open'(Compiled, Codes1)
    ->  '$csv_record_rest'(Stream, Compiled, Codes1, Codes)
    ;   Codes = Codes1
    ).

'$csv_open'(Compiled, Codes) :-
    arg(3, Compiled, false),
    aggregate_all(count, member(0'", Codes), Count),
    1 is Count mod 2.

'$csv_line'(Stream, Codes) :-
    get_code(Stream, C),
    (   C == -1
    ->  Codes = []
    ;   C == 0'\n
    ->  Codes = [C]
    ;   Codes = [C|Codes1],
        '$csv_line'(Stream, Codes1)
    ).

%! csv_write_file(+File, +Rows)
%  Writes rows to a file.
csv_write_file(File, Rows) :-
    csv_write_file(File, Rows, []).

%! csv_write_file(+File, +Rows, +Options)
%  As csv_write_file/2; options are separator(Code) and those of open/4, as encoding(E).
csv_write_file(File, Rows, Options) :-
    '$csv_file_options'(File, Options, All),
    findall(encoding(E), option(encoding(E), Options), How),
    setup_call_cleanup(
        open(File, write, Stream, How),
        csv_write_stream(Stream, Rows, All),
        close(Stream)).

%! csv_write_stream(+Stream, +Rows, +Options)
%  Writes rows to Stream.
%  ?- csv_write_stream(user_output, [row(a,'b,c',1.5)], []).
csv_write_stream(Stream, Rows, Options) :-
    csv_options(Compiled, Options),
    '$csv_emit'(Rows, Compiled, Codes, []),
    format(Stream, "~s", [Codes]).
