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
%  one as print/1 writes it, %s by a list of codes.
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
    ;   C =:= 0'\\,
        Cs = [0'n|Ds]
    ->  nl,
        '$writef'(Ds, Arguments)
    ;   C =:= 0'\\,
        Cs = [0'l|Ds]
    ->  nl,
        '$writef'(Ds, Arguments)
    ;   '$put'(C),
        '$writef'(Cs, Arguments)
    ).

'$writef_argument'(0'w).
'$writef_argument'(0'd).
'$writef_argument'(0'p).
'$writef_argument'(0's).

'$writef_write'(0'w, A) :- write(A).
'$writef_write'(0'd, A) :- write(A).
'$writef_write'(0'p, A) :- print(A).
'$writef_write'(0's, A) :- '$text_codes'(A, Codes), atom_codes(Text, Codes), write(Text).

%! see(+File)
%  Input comes from File from now on.
%  ?- see('a.txt'), get_char(C), seen.
%  C = h.
see(File) :-
    (   var(File)
    ->  instantiation_error(File)
    ;   '$see_stream'(File, Stream)
    ->  set_input(Stream)
    ;   open(File, read, Stream),
        recordz('$see', File-Stream),
        set_input(Stream)
    ).

'$see_stream'(File, Stream) :-
    (   File == user
    ->  Stream = user_input
    ;   recorded('$see', File-Stream)
    ->  true
    ;   catch(stream_property(File, input), _, fail),
        Stream = File
    ).

%! seen
%  Closes the current input; it is the terminal again.
%  ?- see('a.txt'), seen.
%  true.
seen :-
    current_input(Stream),
    '$forget_stream'('$see', Stream),
    set_input(user_input),
    '$close_file'(Stream).

%! seeing(-Stream)
%  The current input.
%  ?- seeing(S), see(S).
%  S = user_input.
seeing(Stream) :-
    current_input(Stream).

%! tell(+File)
%  Output goes to File from now on; what it held is lost.
%  ?- tell('a.txt'), write(hi), told.
%  true.
tell(File) :-
    '$tell'(File, write).

%! append(+File)
%  As tell/1, but behind what File holds.
%  ?- append('a.txt'), write(hi), told.
%  true.
append(File) :-
    '$tell'(File, append).

'$tell'(File, Mode) :-
    (   var(File)
    ->  instantiation_error(File)
    ;   '$tell_stream'(File, Stream)
    ->  set_output(Stream)
    ;   open(File, Mode, Stream),
        recordz('$tell', File-Stream),
        set_output(Stream)
    ).

'$tell_stream'(File, Stream) :-
    (   File == user
    ->  Stream = user_output
    ;   recorded('$tell', File-Stream)
    ->  true
    ;   catch(stream_property(File, output), _, fail),
        Stream = File
    ).

%! told
%  Closes the current output; it is the terminal again.
%  ?- tell('a.txt'), told.
%  true.
told :-
    current_output(Stream),
    '$forget_stream'('$tell', Stream),
    set_output(user_output),
    '$close_file'(Stream).

%! telling(-Stream)
%  The current output.
%  ?- telling(S), tell(S).
%  S = user_output.
telling(Stream) :-
    current_output(Stream).

'$forget_stream'(Key, Stream) :-
    (   recorded(Key, _-Stream, Reference)
    ->  erase(Reference)
    ;   true
    ).

'$close_file'(Stream) :-
    (   stream_property(Stream, file_name(_))
    ->  close(Stream)
    ;   true
    ).

%! get0(-Code)
%  The next code of the input; get_code/1 today.
%  ?- get0(C).
%  C = 104.
get0(Code) :-
    get_code(Code).

%! get(-Code)
%  The next code of the input that is not white space.
%  ?- get(C).
%  C = 104.
get(Code) :-
    get_code(C),
    (   C =\= -1,
        code_type(C, space)
    ->  get(Code)
    ;   Code = C
    ).

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

%! skip(+Code)
%  Reads up to and with the next Code, given as a code or a character.
%  ?- skip(0'\n).
%  true.
skip(Code) :-
    (   integer(Code)
    ->  Until = Code
    ;   char_code(Code, Until)
    ),
    '$skip'(Until).

'$skip'(Until) :-
    get_code(C),
    (   C =:= Until
    ->  true
    ;   C =:= -1
    ->  true
    ;   '$skip'(Until)
    ).

%! display(+Term)
%  Writes a term without operators.
%  ?- display(1+2).
%  +(1,2)
%  true.
display(Term) :-
    write_term(Term, [ignore_ops(true)]).

%! ttyflush
%  Writes out what is still in the output buffer.
%  ?- ttyflush.
%  true.
ttyflush :-
    flush_output.
