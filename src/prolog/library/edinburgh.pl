% edinburgh.pl: predicates of older Prolog systems that course texts still use.

%! sublist(:Goal, +List, -Kept)
%  The elements for which call(Goal, X) holds; include/3 today.
%  ?- sublist(atom, [a,1,b], L).
%  L = [a,b].
sublist(Goal, List, Kept) :-
    '$include'(List, Goal, Kept).

%! checklist(:Goal, +List)
%  call(Goal, X) holds for each element; maplist/2 today.
%  ?- checklist(atom, [a,b]).
%  true.
checklist(Goal, List) :-
    '$maplist'(List, Goal).

%! concat_atom(+Parts, -Atom)
%  The parts joined; atomic_list_concat/2 today.
%  ?- concat_atom([a,1], A).
%  A = a1.
concat_atom(Parts, Atom) :-
    atomic_list_concat(Parts, Atom).

%! concat_atom(?Parts, +Separator, ?Atom)
%  The parts joined with a separator; atomic_list_concat/3 today.
%  ?- concat_atom([a,b], '-', A).
%  A = 'a-b'.
concat_atom(Parts, Separator, Atom) :-
    atomic_list_concat(Parts, Separator, Atom).

%! concat(+A, +B, -C)
%  C is the atom of A followed by B; atomic_list_concat/2 today.
%  ?- concat(a, 1, C).
%  C = a1.
concat(A, B, C) :-
    atomic_list_concat([A,B], C).

%! subsumes_chk(@General, @Specific)
%  subsumes_term/2 today.
%  ?- subsumes_chk(f(_), f(a)).
%  true.
subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%! subsumes(?General, @Specific)
%  As subsumes_term/2, and unifies the two.
%  ?- subsumes(f(X), f(a)).
%  X = a.
subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

%! writef(+Format)
%  Writes Format, where \n is a new line and \l too.
%  ?- writef('a\\n').
%  a
%  true.
writef(Format) :-
    writef(Format, []).

%! writef(+Format, +Arguments)
%  Writes Format with directives replaced by the next argument: %w as write/1 writes it, %t and %p as print/1,
%  %q as writeq/1, %d as write_canonical/1, %s a list of codes, %n a character; %r takes two arguments, a term and how
%  often to write it. %NL, %NR and %NC write the next argument in a column of width N at its left, at its right or in the
%  middle, with at least one space around it. %f flushes. \n, \l, \r, \t, \\ and \% are characters, \65 is the character
%  with that code. A directive without an argument is written as it is.
%  ?- writef('%w and %w\n', [a,b]).
%  a and b
%  true.
writef(Format, Arguments) :-
    '$text_codes'(Format, Codes),
    '$writef'(Codes, Arguments).

%! swritef(-String, +Format)
%  String is what writef/1 writes.
%  ?- swritef(S, 'a\\n').
%  S = "a\n".
swritef(String, Format) :-
    with_output_to(string(String), writef(Format, [])).

%! swritef(-String, +Format, +Arguments)
%  String is what writef/2 writes.
%  ?- swritef(S, '%w-%t', [a,'B']).
%  S = "a-'B'".
swritef(String, Format, Arguments) :-
    with_output_to(string(String), writef(Format, Arguments)).

'$text_codes'(Text, Codes) :-
    (   atomic(Text)
    ->  atom_codes(Text, Codes)
    ;   Codes = Text
    ).

'$writef'([], _).
'$writef'([C|Cs], Arguments) :-
    (   C =:= 0'%,
        Cs = [D|Ds],
        '$writef_directive'(D, Arguments, As)
    ->  '$writef'(Ds, As)
    ;   C =:= 0'%,
        '$writef_number'(Cs, 3, 0, Width, [D|Ds]),
        Ds \== Cs,
        '$writef_side'(D, Side),
        Arguments = [A|As]
    ->  '$writef_in'(Side, Width, A),
        '$writef'(Ds, As)
    ;   C =:= 0'\\,
        Cs = [D|Ds],
        '$writef_escape'(D, Code)
    ->  '$put'(Code),
        '$writef'(Ds, Arguments)
    ;   C =:= 0'\\,
        '$writef_number'(Cs, 3, 0, Code, Ds),
        Ds \== Cs,
        Code < 128
    ->  '$put'(Code),
        '$writef'(Ds, Arguments)
    ;   '$put'(C),
        '$writef'(Cs, Arguments)
    ).

'$writef_escape'(0'n, 0'\n).
'$writef_escape'(0'l, 0'\n).
'$writef_escape'(0'r, 0'\r).
'$writef_escape'(0't, 0'\t).
'$writef_escape'(0'\\, 0'\\).
'$writef_escape'(0'%, 0'%).

% A number of at most so many digits.
'$writef_number'(Cs, Left, Number0, Number, Rest) :-
    (   Left > 0,
        Cs = [C|Ds],
        C >= 0'0,
        C =< 0'9
    ->  Number1 is 10*Number0+C-0'0,
        Left1 is Left-1,
        '$writef_number'(Ds, Left1, Number1, Number, Rest)
    ;   Number = Number0,
        Rest = Cs
    ).

'$writef_side'(0'l, left).
'$writef_side'(0'L, left).
'$writef_side'(0'r, right).
'$writef_side'(0'R, right).
'$writef_side'(0'c, centre).
'$writef_side'(0'C, centre).

'$writef_in'(Side, Width, A0) :-
    (   A0 = [_|_],
        catch(atom_codes(A, A0), error(_, _), fail)
    ->  true
    ;   A = A0
    ),
    format(atom(Text), "~w", [A]),
    atom_length(Text, Length),
    '$writef_spaces'(Side, Width, Length, Before, After),
    format("~*c~w~*c", [Before,0'\s,Text,After,0'\s]).

'$writef_spaces'(left, Width, Length, 0, After) :- After is max(1, Width-Length).
'$writef_spaces'(right, Width, Length, Before, 0) :- Before is max(1, Width-Length).
'$writef_spaces'(centre, Width, Length, Before, After) :-
    Before is max(1, round((Width-Length)/2)),
    After is max(1, Width-Length-Before).

'$writef_directive'(0'w, [A|As], As) :- write(A).
'$writef_directive'(0't, [A|As], As) :- print(A).
'$writef_directive'(0'p, [A|As], As) :- print(A).
'$writef_directive'(0'q, [A|As], As) :- writeq(A).
'$writef_directive'(0'd, [A|As], As) :- write_canonical(A).
'$writef_directive'(0'n, [A|As], As) :- '$put'(A).
'$writef_directive'(0'f, As, As) :- flush_output.
'$writef_directive'(0's, [A|As], As) :-
    '$text_codes'(A, Codes), atom_codes(Text, Codes), write(Text).
'$writef_directive'(0'r, [A,Times|As], As) :- forall(between(1, Times, _), write(A)).

%! put(+Code)
%  Writes a character, given by its code or as an atom.
%  ?- put(0'a), put(b), nl.
%  ab
%  true.
put(Code) :-
    '$put'(Code).

'$put'(Code) :-
    (   integer(Code)
    ->  char_code(Char, Code),
        put_char(Char)
    ;   put_char(Code)
    ).

%! fileerrors(-Old, +New)
%  Whether an error is raised for a file that is not there: it is, always.
%  ?- fileerrors(Old, on).
%  Old = on.
fileerrors(on, _).

% Functions of arithmetic as predicates, as in Quintus Prolog.

%! sin(+X, -Y), cos(+X, -Y), tan(+X, -Y), asin(+X, -Y), acos(+X, -Y), atan(+X, -Y), atan2(+X, +Y, -Z)
%  The functions of these names.
%  ?- sqrt(4, X).
%  X = 2.0.
sin(X, Y) :- Y is sin(X).
cos(X, Y) :- Y is cos(X).
tan(X, Y) :- Y is tan(X).
asin(X, Y) :- Y is asin(X).
acos(X, Y) :- Y is acos(X).
atan(X, Y) :- Y is atan(X).
atan2(X, Y, Z) :- Z is atan2(X, Y).

%! sqrt(+X, -Y), log(+X, -Y), log10(+X, -Y), floor(+X, -Y), ceiling(+X, -Y), round(+X, -Y), sign(+X, -Y)
%  The functions of these names.
%  ?- floor(1.5, X).
%  X = 1.
sqrt(X, Y) :- Y is sqrt(X).
log(X, Y) :- Y is log(X).
log10(X, Y) :- Y is log10(X).
floor(X, Y) :- Y is floor(X).
ceiling(X, Y) :- Y is ceiling(X).
round(X, Y) :- Y is round(X).
sign(X, Y) :- Y is sign(X).
