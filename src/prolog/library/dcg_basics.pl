% dcg_basics.pl: grammar rules for the everyday parts of a text, over lists of
% character codes.

%! blank//0
%  One white-space code, newlines included.
%  ?- atom_codes(' ', Cs), phrase(blank, Cs).
%  true.
blank -->
    [C],
    { nonvar(C), code_type(C, space) }.

%! blanks//0
%  As many white-space codes as there are.
%  ?- atom_codes('  x', Cs), phrase(blanks, Cs, R), atom_codes(A, R).
%  A = x.
blanks -->
    blank, !,
    blanks.
blanks -->
    [].

%! white//0
%  One space or tab.
%  ?- atom_codes(' ', Cs), phrase(white, Cs).
%  true.
white -->
    [C],
    { nonvar(C), code_type(C, white) }.

%! whites//0
%  As many spaces and tabs as there are.
%  ?- atom_codes('  x', Cs), phrase(whites, Cs, R), atom_codes(A, R).
%  A = x.
whites -->
    white, !,
    whites.
whites -->
    [].

%! nonblank(-Code)//
%  One code that is visible.
%  ?- atom_codes(x, Cs), phrase(nonblank(C), Cs).
%  C = 120.
nonblank(C) -->
    [C],
    { code_type(C, graph) }.

%! nonblanks(-Codes)//
%  As many visible codes as there are.
%  ?- atom_codes('ab c', Cs), phrase(nonblanks(W), Cs, _), atom_codes(A, W).
%  A = ab.
nonblanks([C|Cs]) -->
    [C],
    { code_type(C, graph) }, !,
    nonblanks(Cs).
nonblanks([]) -->
    [].

%! blanks_to_nl//0
%  White space up to and with the next newline, or the end of the text.
%  ?- atom_codes('  ', Cs), phrase(blanks_to_nl, Cs).
%  true.
blanks_to_nl -->
    [C],
    { C \== 0'\n, nonvar(C), code_type(C, space) }, !,
    blanks_to_nl.
blanks_to_nl -->
    "\n", !.
blanks_to_nl, [] -->
    eos.

%! string(-Codes)//
%  Any codes, as few as will do.
%  ?- atom_codes('a,b', Cs), phrase((string(S), ",", remainder(_)), Cs), atom_codes(A, S).
%  A = a.
string([]) -->
    [].
string([C|Cs]) -->
    [C],
    string(Cs).

%! string_without(+EndCodes, -Codes)//
%  As many codes as there are before one of EndCodes or the end.
%  ?- atom_codes('a,b', Cs), phrase(string_without([0',], S), Cs, _), atom_codes(A, S).
%  A = a.
string_without(End, Codes) -->
    { '$code_list'(End, EndCodes) },
    '$string_without'(EndCodes, Codes).

'$string_without'(End, [C|Cs]) -->
    [C],
    { \+ memberchk(C, End) }, !,
    '$string_without'(End, Cs).
'$string_without'(_, []) -->
    [].

'$code_list'(End, Codes) :-
    (   string(End)
    ->  string_codes(End, Codes)
    ;   Codes = End
    ).

%! alpha_to_lower(?Lower)//
%  A letter in either case; Lower is its lower-case code.
%  ?- atom_codes('A', Cs), phrase(alpha_to_lower(L), Cs).
%  L = 97.
alpha_to_lower(L) -->
    [C],
    {   nonvar(C)
    ->  code_type(C, alpha),
        code_type(C, to_upper(L))
    ;   L = C
    }.

%! digits(?Codes)//
%  As many digits as there are, perhaps none.
%  ?- atom_codes('12x', Cs), phrase(digits(Ds), Cs, _), atom_codes(A, Ds).
%  A = '12'.
digits([C|Cs]) -->
    digit(C), !,
    digits(Cs).
digits([]) -->
    [].

%! digit(?Code)//
%  One digit.
%  ?- atom_codes('1', Cs), phrase(digit(D), Cs).
%  D = 49.
digit(C) -->
    [C],
    { code_type(C, digit) }.

%! integer(?Integer)//
%  An integer with an optional sign; writes one when Integer is bound.
%  ?- atom_codes('-12', Cs), phrase(integer(I), Cs).
%  I = -12.
integer(I, Head, Tail) :-
    (   nonvar(I)
    ->  format(codes(Codes), "~d", [I]),
        append(Codes, Tail, Head)
    ;   '$int_codes'(Codes, Head, Tail),
        number_codes(I, Codes)
    ).

'$int_codes'([0'-,D|Ds]) -->
    "-", !,
    '$digits1'(D, Ds).
'$int_codes'([D|Ds]) -->
    ( "+" -> [] ; [] ),
    '$digits1'(D, Ds).

'$digits1'(D, Ds) -->
    digit(D),
    digits(Ds).

%! float(?Float)//
%  A floating-point number; an integer is read as one too.
%  ?- atom_codes('1.5e1', Cs), phrase(float(F), Cs).
%  F = 15.0.
float(F, Head, Tail) :-
    (   nonvar(F)
    ->  F1 is float(F),
        number_codes(F1, Codes),
        append(Codes, Tail, Head)
    ;   number(N, Head, Tail),
        F is float(N)
    ).

%! number(?Number)//
%  An integer or a floating-point number.
%  ?- atom_codes('2.5', Cs), phrase(number(N), Cs).
%  N = 2.5.
number(N, Head, Tail) :-
    (   nonvar(N)
    ->  must_be(number, N),
        number_codes(N, Codes),
        append(Codes, Tail, Head)
    ;   '$number_codes'(Codes, Head, Tail),
        number_codes(N, Codes)
    ).

'$number_codes'(Codes) -->
    '$int_codes'(Int),
    (   '$fraction'(Fraction)
    ->  []
    ;   { Fraction = [] }
    ),
    (   '$exponent'(Exponent)
    ->  []
    ;   { Exponent = [] }
    ),
    { '$join_number'(Int, Fraction, Exponent, Codes) }.

'$fraction'([0'.,D|Ds]) -->
    ".",
    '$digits1'(D, Ds).

'$exponent'([0'e|Codes]) -->
    ( "e" -> [] ; "E" ),
    '$int_codes'(Codes).

'$join_number'(Int, Fraction, Exponent, Codes) :-
    (   Fraction == [], Exponent \== []
    ->  append([Int,[0'.,0'0],Exponent], Codes)
    ;   append([Int,Fraction,Exponent], Codes)
    ).

%! xinteger(?Integer)//
%  An integer in hexadecimal digits, with an optional sign.
%  ?- atom_codes(ff, Cs), phrase(xinteger(I), Cs).
%  I = 255.
xinteger(I, Head, Tail) :-
    (   nonvar(I)
    ->  format(codes(Codes), '~16r', [I]),
        append(Codes, Tail, Head)
    ;   '$hexadecimal_sign'(Sign, Head, Start),
        xdigit(W, Start, Mid),
        xdigits(Ws, Mid, Tail),
        '$weigh'(Ws, W, Size),
        I is Sign*Size
    ).

'$hexadecimal_sign'(-1) --> "-", !.
'$hexadecimal_sign'(1) --> "+", !.
'$hexadecimal_sign'(1) --> [].

'$weigh'([], I, I).
'$weigh'([W|Ws], I0, I) :-
    I1 is I0 * 16 + W,
    '$weigh'(Ws, I1, I).

%! xdigits(-Weights)//
%  As many hexadecimal digits as there are, as numbers from 0 to 15.
%  ?- atom_codes(ff, Cs), phrase(xdigits(Ws), Cs).
%  Ws = [15,15].
xdigits([W|Ws]) -->
    xdigit(W), !,
    xdigits(Ws).
xdigits([]) -->
    [].

%! xdigit(-Weight)//
%  One hexadecimal digit.
%  ?- atom_codes(a, Cs), phrase(xdigit(W), Cs).
%  W = 10.
xdigit(W) -->
    [C],
    { code_type(C, xdigit(W)) }.

%! eos//0
%  The end of the text.
%  ?- phrase(eos, []).
%  true.
eos([], []).

%! eol//0
%  The end of a line, or of the text.
%  ?- phrase(eol, [0'\n]).
%  true.
eol -->
    "\n", !.
eol -->
    "\r\n", !.
eol -->
    eos.

%! remainder(-Codes)//
%  All that is left.
%  ?- phrase(remainder(R), [a,b]).
%  R = [a,b].
remainder(Codes, Codes, []).

%! prolog_var_name(-Name)//
%  A variable name, as an atom.
%  ?- atom_codes('Xs,', Cs), phrase(prolog_var_name(N), Cs, _).
%  N = 'Xs'.
prolog_var_name(Name) -->
    [C],
    { code_type(C, prolog_var_start) }, !,
    csyms(Cs),
    { atom_codes(Name, [C|Cs]) }.

%! csym(?Code)//
%  One code of a name in C: a letter, a digit or _.
%  ?- atom_codes(a, Cs), phrase(csym(C), Cs).
%  C = 97.
csym(C) -->
    [C],
    { code_type(C, csym) }.

%! csyms(-Codes)//
%  As many such codes as there are.
%  ?- atom_codes('a_1-', Cs), phrase(csyms(W), Cs, _), atom_codes(A, W).
%  A = a_1.
csyms([C|Cs]) -->
    csym(C), !,
    csyms(Cs).
csyms([]) -->
    [].

%! prolog_symbol(-Symbol)//
%  A name of symbol characters, as an atom.
%  ?- atom_codes('=..x', Cs), phrase(prolog_symbol(S), Cs, _).
%  S = (=..).
prolog_symbol(Symbol) -->
    [C],
    { code_type(C, prolog_symbol) },
    '$symbols'(Cs),
    { atom_codes(Symbol, [C|Cs]) }.

'$symbols'([C|Cs]) -->
    [C],
    { code_type(C, prolog_symbol) }, !,
    '$symbols'(Cs).
'$symbols'([]) -->
    [].

%! atom(++Atomic)//
%  The text of an atomic term.
%  ?- phrase(atom(ab), Cs), atom_codes(A, Cs).
%  A = ab.
atom(Atomic, Head, Tail) :-
    must_be(nonvar, Atomic),
    format(codes(Codes), '~w', [Atomic]),
    append(Codes, Tail, Head).
