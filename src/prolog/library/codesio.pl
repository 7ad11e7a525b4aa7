% codesio.pl: reading from and writing to lists of codes (library(codesio), library(charsio)).

%! format_to_codes(+Format, +Arguments, -Codes), format_to_codes(+Format, +Arguments, -Codes, ?Tail)
%  What format/2 writes, as codes before Tail.
%  ?- format_to_codes("~w", [a], Cs).
%  Cs = [97].
format_to_codes(Format, Arguments, Codes) :-
    format(codes(Codes), Format, Arguments).

format_to_codes(Format, Arguments, Codes, Tail) :-
    format(codes(Codes, Tail), Format, Arguments).

%! write_to_codes(+Term, -Codes), write_to_codes(+Term, -Codes, ?Tail)
%  What write/1 writes, as codes before Tail.
%  ?- write_to_codes(a, Cs).
%  Cs = [97].
write_to_codes(Term, Codes) :-
    format(codes(Codes), "~w", [Term]).

write_to_codes(Term, Codes, Tail) :-
    format(codes(Codes, Tail), "~w", [Term]).

%! write_term_to_codes(+Term, -Codes, +Options), write_term_to_codes(+Term, -Codes, ?Tail, +Options)
%  What write_term/2 writes, as codes before Tail.
%  ?- write_term_to_codes('A', Cs, [quoted(true)]).
%  Cs = [39,65,39].
write_term_to_codes(Term, Codes, Options) :-
    write_term_to_codes(Term, Codes, [], Options).

write_term_to_codes(Term, Codes, Tail, Options) :-
    with_output_to(codes(Codes, Tail), write_term(Term, Options)).

%! read_from_codes(+Codes, -Term), read_term_from_codes(+Codes, -Term, +Options)
%  The term of a text, or end_of_file if there is none.
%  ?- read_from_codes(`f(X)`, T), T = f(a).
%  T = f(a).
read_from_codes(Codes, Term) :-
    read_term_from_codes(Codes, Term, []).

read_term_from_codes(Codes, Term, Options) :-
    text_to_string(Codes, String),
    (   split_string(String, "", " \t\n", [""])
    ->  Term = end_of_file
    ;   term_string(Term, String, Options)
    ).

%! open_codes_stream(+Codes, -Stream)
%  Stream reads a text.
%  ?- open_codes_stream(`a. `, S), read(S, X), close(S).
%  X = a.
open_codes_stream(Codes, Stream) :-
    text_to_string(Codes, String),
    open_string(String, Stream).

%! with_output_to_codes(:Goal, -Codes), with_output_to_codes(:Goal, -Codes, ?Tail)
%  What the first answer of Goal writes, as codes before Tail.
%  ?- with_output_to_codes(write(a), Cs).
%  Cs = [97].
with_output_to_codes(Goal, Codes) :-
    with_output_to(codes(Codes), Goal).

with_output_to_codes(Goal, Codes, Tail) :-
    with_output_to(codes(Codes, Tail), Goal).

%! format_to_chars(+Format, +Arguments, -Codes), format_to_chars(+Format, +Arguments, -Codes, ?Tail)
%  The same as format_to_codes/3,4.
format_to_chars(Format, Arguments, Codes) :-
    format_to_codes(Format, Arguments, Codes).

format_to_chars(Format, Arguments, Codes, Tail) :-
    format_to_codes(Format, Arguments, Codes, Tail).

%! write_to_chars(+Term, -Codes), write_to_chars(+Term, -Codes, ?Tail)
%  The same as write_to_codes/2,3.
write_to_chars(Term, Codes) :-
    write_to_codes(Term, Codes).

write_to_chars(Term, Codes, Tail) :-
    write_to_codes(Term, Codes, Tail).

%! atom_to_chars(+Atom, -Codes), atom_to_chars(+Atom, -Codes, ?Tail), number_to_chars(+Number, -Codes), number_to_chars(+Number, -Codes, ?Tail)
%  The codes of an atom or a number, before Tail.
%  ?- number_to_chars(12, Cs).
%  Cs = [49,50].
atom_to_chars(Atom, Codes) :-
    atom_codes(Atom, Codes).

atom_to_chars(Atom, Codes, Tail) :-
    format(codes(Codes, Tail), "~w", [Atom]).

number_to_chars(Number, Codes) :-
    must_be(number, Number),
    number_codes(Number, Codes).

number_to_chars(Number, Codes, Tail) :-
    must_be(number, Number),
    format(codes(Codes, Tail), "~w", [Number]).

%! read_from_chars(+Codes, -Term), read_term_from_chars(+Codes, -Term, +Options)
%  The same as read_from_codes/2 and read_term_from_codes/3.
read_from_chars(Codes, Term) :-
    read_from_codes(Codes, Term).

read_term_from_chars(Codes, Term, Options) :-
    read_term_from_codes(Codes, Term, Options).

%! open_chars_stream(+Codes, -Stream)
%  The same as open_codes_stream/2.
open_chars_stream(Codes, Stream) :-
    open_codes_stream(Codes, Stream).

%! with_output_to_chars(:Goal, -Codes), with_output_to_chars(:Goal, -Codes, ?Tail)
%  The same as with_output_to_codes/2,3.
with_output_to_chars(Goal, Codes) :-
    with_output_to_codes(Goal, Codes).

with_output_to_chars(Goal, Codes, Tail) :-
    with_output_to_codes(Goal, Codes, Tail).
