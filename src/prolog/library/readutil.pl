% readutil.pl: reading whole files, and lines as words. Lines and streams as
% text (read_line_to_string/2, …) are built in.

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

%! phrase_from_file(:Body, +File)
%  The grammar body Body describes the codes of File.
phrase_from_file(Body, File) :-
    phrase_from_file(Body, File, []).

%! phrase_from_file(:Body, +File, +Options)
%  As phrase_from_file/2.
phrase_from_file(Body, File, Options) :-
    read_file_to_codes(File, Codes, Options),
    phrase(Body, Codes).

%! phrase_from_stream(:Body, +Stream)
%  The grammar body Body describes the codes that are left of Stream.
%  ?- open_string("ab", S), phrase_from_stream(string_without([], Cs), S), atom_codes(A, Cs).
%  A = ab.
phrase_from_stream(Body, Stream) :-
    read_stream_to_codes(Stream, Codes),
    phrase(Body, Codes).
