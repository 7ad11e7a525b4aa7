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
%  Writes Format with %w and %d replaced by the next argument, %p by the next
%  one as print/1 writes it, %s by a list of codes, and %NL, %NR and %NC by the next one in a column of width N at
%  its left, at its right or in the middle. \n, \l, \r, \t and \\ are characters.
%  ?- writef('%w and %w\n', [a,b]).
%  a and b
%  true.
writef(Format, Arguments) :-
    '$text_codes'(Format, Codes),
    '$writef'(Codes, Arguments).

'$text_codes'(Text, Codes) :-
    (   atomic(Text)
    ->  atom_codes(Text, Codes)
    ;   Codes = Text
    ).

'$writef'([], _).
'$writef'([C|Cs], Arguments) :-
    (   C =:= 0'%,
        Cs = [D|Ds],
        '$writef_argument'(D),
        Arguments = [A|As]
    ->  '$writef_write'(D, A),
        '$writef'(Ds, As)
    ;   C =:= 0'%,
        '$writef_column'(Cs, 0, Width, Side, Ds),
        Arguments = [A|As]
    ->  '$writef_in'(Side, Width, A),
        '$writef'(Ds, As)
    ;   C =:= 0'\\,
        Cs = [D|Ds],
        '$writef_escape'(D, Code)
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

% A width and the side that is filled.
'$writef_column'([C|Cs], Width0, Width, Side, Rest) :-
    (   C >= 0'0,
        C =< 0'9
    ->  Width1 is 10*Width0+C-0'0,
        '$writef_column'(Cs, Width1, Width, Side, Rest)
    ;   '$writef_side'(C, Side),
        Width = Width0,
        Rest = Cs
    ).

'$writef_side'(0'l, left).
'$writef_side'(0'L, left).
'$writef_side'(0'r, right).
'$writef_side'(0'R, right).
'$writef_side'(0'c, centre).
'$writef_side'(0'C, centre).

'$writef_in'(left, Width, A) :- format("~|~w~t~*+", [A,Width]).
'$writef_in'(right, Width, A) :- format("~|~t~w~*+", [A,Width]).
'$writef_in'(centre, Width, A) :- format("~|~t~w~t~*+", [A,Width]).

'$writef_argument'(0'w).
'$writef_argument'(0'd).
'$writef_argument'(0'p).
'$writef_argument'(0's).

'$writef_write'(0'w, A) :- write(A).
'$writef_write'(0'd, A) :- write(A).
'$writef_write'(0'p, A) :- print(A).
'$writef_write'(0's, A) :- '$text_codes'(A, Codes), atom_codes(Text, Codes), write(Text).

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
