% builtins.pl: predicates with many answers over built-ins that find one, or say
% in a plan what is still to try.

%! length(?List, ?N)
%  N is the number of elements of List.
%  ?- length([a,b], N).
%  N = 2.
length(List, N) :-
    '$length'(List, N, Plan),
    '$length_answers'(Plan, List, N).

'$length_answers'(done, _, _).
'$length_answers'(from(Low), List, N) :-
    between(Low, inf, N),
    '$length'(List, N, done).

%! arg(?N, +Compound, ?Arg)
%  Arg is argument N of Compound, counted from 1.
%  ?- arg(N, f(a,b), b).
%  N = 2.
arg(N, Compound, Arg) :-
    (   var(N)
    ->  '$arity'(Compound, Arity),
        between(1, Arity, N),
        '$arg'(N, Compound, Arg)
    ;   '$arg'(N, Compound, Arg)
    ).

%! sub_atom(+Atom, ?Before, ?Length, ?After, ?Part)
%  Part stands in Atom with so many characters before it, in it and behind it.
%  ?- sub_atom(abcbc, B, _, 0, bc).
%  B = 3.
sub_atom(Atom, Before, Length, After, Part) :-
    '$sub_text'(atom, Atom, Before, Length, After, Part, Plan),
    '$sub_text_answers'(Plan, atom, Atom, Before, Length, After, Part).

%! sub_string(+Text, ?Before, ?Length, ?After, ?Part)
%  As sub_atom/5; Part is a string.
%  ?- sub_string("abc", 1, 1, _, P).
%  P = "b".
sub_string(Text, Before, Length, After, Part) :-
    '$sub_text'(string, Text, Before, Length, After, Part, Plan),
    '$sub_text_answers'(Plan, string, Text, Before, Length, After, Part).

'$sub_text_answers'(done, _, _, _, _, _, _).
'$sub_text_answers'(at(Places), Kind, Text, Before, Length, After, Part) :-
    member(Before, Places),
    '$sub_text'(Kind, Text, Before, Length, After, Part, done).
'$sub_text_answers'(before(Most), Kind, Text, Before, Length, After, Part) :-
    between(0, Most, Before),
    '$sub_text'(Kind, Text, Before, Length, After, Part, Plan),
    '$sub_text_answers'(Plan, Kind, Text, Before, Length, After, Part).
'$sub_text_answers'(length(Most), Kind, Text, Before, Length, After, Part) :-
    between(0, Most, Length),
    '$sub_text'(Kind, Text, Before, Length, After, Part, done).

%! atom_concat(?A, ?B, ?C)
%  The atom C is A followed by B.
%  ?- atom_concat(X, c, abc).
%  X = ab.
atom_concat(A, B, C) :-
    '$concat'(atom, A, B, C, Plan),
    '$concat_answers'(Plan, atom, A, B, C).

%! string_concat(?A, ?B, ?C)
%  The string C is A followed by B.
%  ?- string_concat("a", X, "abc").
%  X = "bc".
string_concat(A, B, C) :-
    '$concat'(string, A, B, C, Plan),
    '$concat_answers'(Plan, string, A, B, C).

'$concat_answers'(done, _, _, _, _).
'$concat_answers'(before(Most), Kind, A, B, C) :-
    between(0, Most, Length),
    '$sub_text'(Kind, C, 0, Length, _, A, done),
    '$sub_text'(Kind, C, Length, _, 0, B, done).

%! text_concat(?A, ?B, ?C)
%  C is A followed by B: a string when one of them is, else an atom.
%  ?- text_concat(a, "b", X).
%  X = "ab".
text_concat(A, B, C) :-
    (   ( string(A) ; string(B) ; string(C) )
    ->  string_concat(A, B, C)
    ;   atom_concat(A, B, C)
    ).

%! char_type(?Char, ?Type)
%  Char is of the class Type, such as alpha, digit(Weight), upper(Lower).
%  ?- char_type(a, alpha).
%  true.
char_type(Char, Type) :-
    '$char_type'(char, Char, Type, Answers),
    '$one_of'(Answers, Char, Type).

%! code_type(?Code, ?Type)
%  As char_type/2, for character codes.
%  ?- code_type(0'7, digit(W)).
%  W = 7.
code_type(Code, Type) :-
    '$char_type'(code, Code, Type, Answers),
    '$one_of'(Answers, Code, Type).

'$one_of'(true, _, _).
'$one_of'([Answer|Answers], Char, Type) :-
    member(Char-Type, [Answer|Answers]).

%! recorded(?Key, ?Term)
%  Term is recorded under Key.
%  ?- recordz(k, a), recorded(k, X).
%  X = a.
recorded(Key, Term) :-
    recorded(Key, Term, _).

%! recorded(?Key, ?Term, ?Reference)
%  As recorded/2; Reference is what erase/1 takes.
%  ?- recordz(k, a), recorded(k, a, R), erase(R).
recorded(Key, Term, Reference) :-
    (   var(Reference)
    ->  '$record_references'(Key, References),
        member(Reference, References),
        '$recorded'(Reference, Key, Term)
    ;   '$recorded'(Reference, Key, Term)
    ).

%! current_key(?Key)
%  Key has records.
%  ?- recordz(k, a), current_key(k).
%  true.
current_key(Key) :-
    '$record_keys'(Keys),
    member(Key, Keys).

%! nb_current(?Name, ?Value)
%  The global variable Name has Value.
%  ?- nb_setval(k, 1), nb_current(k, X).
%  X = 1.
nb_current(Name, Value) :-
    (   nonvar(Name)
    ->  must_be(atom, Name),
        catch(nb_getval(Name, Value), error(existence_error(_, _), _), fail)
    ;   '$nb_keys'(Names),
        member(Name, Names),
        nb_getval(Name, Value)
    ).

%! normalize_space(-Output, +Text)
%  Output, atom(A), string(S), codes(Cs) or chars(Cs), is Text with single blanks.
%  ?- normalize_space(atom(A), "  a   b ").
%  A = 'a b'.
normalize_space(Output, Text) :-
    '$check_sink'(Output),
    '$normalize_space'(Text, String),
    '$text_output'(Output, String).

'$text_output'(atom(A), String) :- atom_string(A, String).
'$text_output'(string(String), String).
'$text_output'(codes(Codes), String) :- string_codes(String, Codes).
'$text_output'(chars(Chars), String) :- string_chars(String, Chars).

%! divmod(+Dividend, +Divisor, -Quotient, -Rest)
%  Quotient and Rest of the division that rounds down.
%  ?- divmod(-7, 2, Q, R).
%  Q = -4, R = 1.
divmod(Dividend, Divisor, Quotient, Rest) :-
    Quotient is Dividend div Divisor,
    Rest is Dividend mod Divisor.

%! current_arithmetic_function(?Head)
%  Head is a term that is/2 can evaluate.
%  ?- current_arithmetic_function(sin(_)).
%  true.
current_arithmetic_function(Head) :-
    '$evaluable'(Head).
