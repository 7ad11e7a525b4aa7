% readutil.pl: reading lines, whole streams and whole files.

%! read_line_to_codes(+Stream, -Codes)
%  The codes of the next line without its end; -1 at the end of the stream.
%  ?- read_line_to_codes(user_input, Codes).
%  Codes = [104,105].
read_line_to_codes(Stream, Codes) :-
    get_code(Stream, C),
    (   C =:= -1
    ->  Codes = -1
    ;   '$line_codes'(C, Stream, Codes)
    ).

'$line_codes'(C, Stream, Codes) :-
    (   C =:= -1
    ->  Codes = []
    ;   C =:= 0'\n
    ->  Codes = []
    ;   C =:= 0'\r,
        peek_code(Stream, 0'\n)
    ->  get_code(Stream, _),
        Codes = []
    ;   Codes = [C|Codes1],
        get_code(Stream, C1),
        '$line_codes'(C1, Stream, Codes1)
    ).

%! read_line_to_codes(+Stream, -Codes, ?Tail)
%  As read_line_to_codes/2 with the newline kept and an open end.
%  ?- read_line_to_codes(user_input, Codes, []).
%  Codes = [104,105,10].
read_line_to_codes(Stream, Codes, Tail) :-
    get_code(Stream, C),
    (   C =:= -1
    ->  Codes = Tail
    ;   C =:= 0'\n
    ->  Codes = [C|Tail]
    ;   Codes = [C|Codes1],
        read_line_to_codes(Stream, Codes1, Tail)
    ).

%! read_line_to_string(+Stream, -String)
%  The next line as a string; end_of_file at the end of the stream.
%  ?- read_line_to_string(user_input, S).
%  S = "hi".
read_line_to_string(Stream, String) :-
    read_line_to_codes(Stream, Codes),
    (   Codes == -1
    ->  String = end_of_file
    ;   string_codes(String, Codes)
    ).

%! read_stream_to_codes(+Stream, -Codes)
%  All that is left in the stream.
%  ?- read_stream_to_codes(user_input, Codes).
%  Codes = [104,105,10].
read_stream_to_codes(Stream, Codes) :-
    read_stream_to_codes(Stream, Codes, []).

%! read_stream_to_codes(+Stream, -Codes, ?Tail)
%  As read_stream_to_codes/2 with an open end.
%  ?- read_stream_to_codes(user_input, Codes, []).
%  Codes = [104,105,10].
read_stream_to_codes(Stream, Codes, Tail) :-
    get_code(Stream, C),
    (   C =:= -1
    ->  Codes = Tail
    ;   Codes = [C|Codes1],
        read_stream_to_codes(Stream, Codes1, Tail)
    ).

%! read_file_to_codes(+File, -Codes, +Options)
%  The text of a file.
%  ?- read_file_to_codes('a.txt', Codes, []).
%  Codes = [104,105,10].
read_file_to_codes(File, Codes, _) :-
    open(File, read, Stream),
    setup_call_cleanup(true, read_stream_to_codes(Stream, Codes0, []), close(Stream)),
    Codes = Codes0.

%! read_file_to_string(+File, -String, +Options)
%  The text of a file as a string.
%  ?- read_file_to_string('a.txt', S, []).
%  S = "hi\n".
read_file_to_string(File, String, Options) :-
    read_file_to_codes(File, Codes, Options),
    string_codes(String, Codes).

%! read_file_to_terms(+File, -Terms, +Options)
%  The terms of a file.
%  ?- read_file_to_terms('a.pl', Ts, []).
%  Ts = [p(1),p(2)].
read_file_to_terms(File, Terms, _) :-
    open(File, read, Stream),
    setup_call_cleanup(true, '$read_terms'(Stream, Terms0), close(Stream)),
    Terms = Terms0.

'$read_terms'(Stream, Terms) :-
    read(Stream, Term),
    (   Term == end_of_file
    ->  Terms = []
    ;   Terms = [Term|Terms1],
        '$read_terms'(Stream, Terms1)
    ).

%! readln(-Words)
%  The next line of input as a list of words (atoms), numbers and punctuation.
%  ?- readln(Ws).
%  Ws = [the,cat,is,2,!].
readln(Words) :-
    current_input(Stream),
    read_line_to_codes(Stream, Codes),
    (   Codes == -1
    ->  Words = end_of_file
    ;   '$words'(Codes, Words)
    ).

'$words'([], []).
'$words'([C|Cs], Words) :-
    (   code_type(C, space)
    ->  '$words'(Cs, Words)
    ;   code_type(C, digit)
    ->  '$digit_run'(Cs, Ds, Rest),
        number_codes(Word, [C|Ds]),
        Words = [Word|Words1],
        '$words'(Rest, Words1)
    ;   code_type(C, csym)
    ->  '$csym_run'(Cs, Ls, Rest),
        atom_codes(Word, [C|Ls]),
        Words = [Word|Words1],
        '$words'(Rest, Words1)
    ;   atom_codes(Word, [C]),
        Words = [Word|Words1],
        '$words'(Cs, Words1)
    ).

'$digit_run'(Cs, Ds, Rest) :-
    (   Cs = [C|Cs1],
        code_type(C, digit)
    ->  Ds = [C|Ds1],
        '$digit_run'(Cs1, Ds1, Rest)
    ;   Ds = [],
        Rest = Cs
    ).

'$csym_run'(Cs, Ls, Rest) :-
    (   Cs = [C|Cs1],
        code_type(C, csym)
    ->  Ls = [C|Ls1],
        '$csym_run'(Cs1, Ls1, Rest)
    ;   Ls = [],
        Rest = Cs
    ).
