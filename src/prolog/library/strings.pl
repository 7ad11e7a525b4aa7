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
    (   nonvar(String)
    ->  split_string(String, "\n", "", Parts),
        '$without_last_empty'(Parts, Lines)
    ;   atomic_list_concat(Lines, '\n', Atom),
        atom_string(Atom, String)
    ).

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
