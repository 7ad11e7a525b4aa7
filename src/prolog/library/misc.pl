% misc.pl: numbers, bytes of strings and files, as SWI-Prolog has predicates for them.

%! functor(?Term, ?Name, ?Arity, ?Type)
%  As functor/3; Type is atom, compound, or atomic for other terms without arguments.
%  ?- functor(f(a), N, A, T).
%  A = 1, N = f, T = compound.
functor(Term, Name, Arity, Type) :-
    functor(Term, Name, Arity),
    (   compound(Term)
    ->  Type = compound
    ;   atom(Term)
    ->  Type = atom
    ;   Type = atomic
    ).

%! nth_integer_root_and_remainder(+N, +I, -Root, -Remainder)
%  Root is the integer whose Nth power comes nearest to I without lying farther from 0, and
%  Remainder what is left of I.
%  ?- nth_integer_root_and_remainder(2, 10, R, Left).
%  Left = 1, R = 3.
nth_integer_root_and_remainder(N, I, Root, Remainder) :-
    must_be(positive_integer, N),
    must_be(integer, I),
    (   I < 0
    ->  (   N mod 2 =:= 1
        ->  Positive is -I,
            '$integer_root'(N, Positive, Root0),
            Root is -Root0
        ;   throw(error(evaluation_error(undefined),
                        context(nth_integer_root_and_remainder/4, _)))
        )
    ;   '$integer_root'(N, I, Root)
    ),
    Remainder is I - Root**N.

% By halving the interval between powers of 2.
'$integer_root'(N, I, Root) :-
    (   I < 2
    ->  Root = I
    ;   High is 1 << (msb(I)//N + 1),
        '$integer_root'(1, High, N, I, Root)
    ).

'$integer_root'(Low, High, N, I, Root) :-
    (   High - Low =< 1
    ->  Root = Low
    ;   Middle is (Low+High)//2,
        (   Middle**N =< I
        ->  '$integer_root'(Middle, High, N, I, Root)
        ;   '$integer_root'(Low, Middle, N, I, Root)
        )
    ).

%! bounded_number(?Low, ?High, +Number)
%  Number lies between Low and High, which are numbers of its type, or the nearest ones around it.
%  ?- bounded_number(1, 3, 2).
%  true.
bounded_number(Low, High, Number) :-
    must_be(number, Number),
    '$bound'(Low, Number, -1),
    '$bound'(High, Number, 1).

'$bound'(Bound, Number, Step) :-
    (   nonvar(Bound)
    ->  must_be(number, Bound),
        Number*Step < Bound*Step
    ;   integer(Number)
    ->  Bound is Number+Step
    ;   Bound is nexttoward(Number, Step*inf)
    ).

%! float_class(+Float, -Class)
%  Class is nan, infinite, zero, subnormal or normal.
%  ?- float_class(1.0, C).
%  C = normal.
float_class(Float, Class) :-
    must_be(float, Float),
    (   Float =\= Float
    ->  Class = nan
    ;   abs(Float) =:= inf
    ->  Class = infinite
    ;   Float =:= 0.0
    ->  Class = zero
    ;   abs(Float) < 2.2250738585072014e-308
    ->  Class = subnormal
    ;   Class = normal
    ).

%! float_parts(+Float, -Mantissa, -Base, -Exponent)
%  Float is Mantissa*Base**Exponent; Base is 2 and the absolute value of Mantissa at least 1 and
%  less than 2.
%  ?- float_parts(6.0, M, B, E).
%  B = 2, E = 2, M = 1.5.
float_parts(Float, Mantissa, 2, Exponent) :-
    must_be(float, Float),
    (   Float =:= 0.0
    ->  Mantissa = Float, Exponent = 0
    ;   Guess is floor(log2(abs(Float))),
        '$float_parts'(Float, Guess, Mantissa, Exponent)
    ).

'$float_parts'(Float, Guess, Mantissa, Exponent) :-
    Mantissa0 is Float / 2.0**Guess,
    (   abs(Mantissa0) < 1.0
    ->  Guess1 is Guess-1,
        '$float_parts'(Float, Guess1, Mantissa, Exponent)
    ;   abs(Mantissa0) >= 2.0
    ->  Guess1 is Guess+1,
        '$float_parts'(Float, Guess1, Mantissa, Exponent)
    ;   Mantissa = Mantissa0,
        Exponent = Guess
    ).

%! string_bytes(?String, ?Bytes, +Encoding)
%  Bytes are those of String in an encoding: ascii, octet, iso_latin_1, utf8, text, utf16be or
%  utf16le.
%  ?- string_bytes("é", Bs, utf8).
%  Bs = [195,169].
string_bytes(String, Bytes, Encoding) :-
    must_be(atom, Encoding),
    (   nonvar(String)
    ->  text_to_string(String, Text),
        string_codes(Text, Codes),
        '$code_bytes'(Codes, Encoding, Bytes)
    ;   must_be(list(between(0, 255)), Bytes),
        '$byte_codes'(Bytes, Encoding, Codes),
        string_codes(String, Codes)
    ).

'$code_bytes'([], Encoding, []) :-
    '$known_encoding'(Encoding, _).
'$code_bytes'([Code|Codes], Encoding, Bytes) :-
    '$known_encoding'(Encoding, Kind),
    '$encoded'(Kind, Code, Bytes, More),
    '$code_bytes'(Codes, Encoding, More).

'$known_encoding'(Encoding, Kind) :-
    (   memberchk(Encoding-Kind0, [ascii-single(127),octet-single(255),iso_latin_1-single(255),
                                   utf8-utf8,text-utf8,utf16be-utf16(big),unicode_be-utf16(big),
                                   utf16le-utf16(little),unicode_le-utf16(little)])
    ->  Kind = Kind0
    ;   domain_error(encoding, Encoding)
    ).

'$encoded'(single(Most), Code, [Code|More], More) :-
    (   Code =< Most
    ->  true
    ;   representation_error(encoding)
    ).
'$encoded'(utf8, Code, Bytes, More) :-
    (   Code < 0x80
    ->  Bytes = [Code|More]
    ;   Code < 0x800
    ->  A is 0xC0 \/ Code>>6,
        Bytes = [A|Bytes1],
        '$utf8_rest'(1, Code, Bytes1, More)
    ;   Code < 0x10000
    ->  A is 0xE0 \/ Code>>12,
        Bytes = [A|Bytes1],
        '$utf8_rest'(2, Code, Bytes1, More)
    ;   A is 0xF0 \/ Code>>18,
        Bytes = [A|Bytes1],
        '$utf8_rest'(3, Code, Bytes1, More)
    ).
'$encoded'(utf16(Order), Code, Bytes, More) :-
    (   Code < 0x10000
    ->  '$two_bytes'(Order, Code, Bytes, More)
    ;   High is 0xD800 + ((Code-0x10000)>>10),
        Low is 0xDC00 + ((Code-0x10000) /\ 0x3FF),
        '$two_bytes'(Order, High, Bytes, Bytes1),
        '$two_bytes'(Order, Low, Bytes1, More)
    ).

'$utf8_rest'(0, _, More, More) :- !.
'$utf8_rest'(Count, Code, [Byte|Bytes], More) :-
    Count1 is Count-1,
    Byte is 0x80 \/ ((Code >> (6*Count1)) /\ 0x3F),
    '$utf8_rest'(Count1, Code, Bytes, More).

'$two_bytes'(Order, Unit, [A,B|More], More) :-
    High is Unit >> 8,
    Low is Unit /\ 255,
    (   Order == big
    ->  A = High, B = Low
    ;   A = Low, B = High
    ).

'$byte_codes'(Bytes, Encoding, Codes) :-
    '$known_encoding'(Encoding, Kind),
    '$decoded'(Bytes, Kind, Codes).

'$decoded'([], _, []).
'$decoded'([Byte|Bytes], Kind, [Code|Codes]) :-
    (   Kind = single(_)
    ->  Code = Byte,
        Bytes1 = Bytes
    ;   Kind == utf8
    ->  '$utf8_code'(Byte, Bytes, Code, Bytes1)
    ;   Kind = utf16(Order),
        '$unit'([Byte|Bytes], Order, Unit, Bytes0),
        (   Unit >= 0xD800, Unit < 0xDC00
        ->  '$unit'(Bytes0, Order, Low, Bytes1),
            Code is 0x10000 + ((Unit-0xD800)<<10) + (Low-0xDC00)
        ;   Code = Unit,
            Bytes1 = Bytes0
        )
    ),
    '$decoded'(Bytes1, Kind, Codes).

'$unit'([A,B|Bytes], Order, Unit, Bytes) :- !,
    (   Order == big
    ->  Unit is A<<8 \/ B
    ;   Unit is B<<8 \/ A
    ).
'$unit'(_, _, _, _) :-
    representation_error(encoding).

'$utf8_code'(Byte, Bytes, Code, Rest) :-
    (   Byte < 0x80
    ->  Code = Byte,
        Rest = Bytes
    ;   Byte >= 0xC0, Byte < 0xE0
    ->  '$utf8_more'(1, Byte /\ 0x1F, Bytes, Code, Rest)
    ;   Byte >= 0xE0, Byte < 0xF0
    ->  '$utf8_more'(2, Byte /\ 0x0F, Bytes, Code, Rest)
    ;   Byte >= 0xF0
    ->  '$utf8_more'(3, Byte /\ 0x07, Bytes, Code, Rest)
    ;   representation_error(encoding)
    ).

'$utf8_more'(Count, Code0, Bytes, Code, Rest) :-
    (   Count =:= 0
    ->  Code is Code0,
        Rest = Bytes
    ;   Bytes = [Byte|Bytes1],
        Byte /\ 0xC0 =:= 0x80
    ->  Code1 is Code0<<6 \/ (Byte /\ 0x3F),
        Count1 is Count-1,
        '$utf8_more'(Count1, Code1, Bytes1, Code, Rest)
    ;   representation_error(encoding)
    ).

%! get_string_code(+Index, +String, -Code)
%  As string_code/3.
%  ?- get_string_code(1, "abc", C).
%  C = 97.
get_string_code(Index, String, Code) :-
    string_code(Index, String, Code).

%! is_absolute_file_name(+File)
%  File begins at the root.
%  ?- is_absolute_file_name('/tmp').
%  true.
is_absolute_file_name(File) :-
    atom_string(Atom, File),
    ( sub_atom(Atom, 0, _, _, /) -> true ; sub_atom(Atom, 0, _, _, ~) ).

%! prolog_to_os_filename(?File, ?OsFile)
%  The same name: files are named as the system names them.
%  ?- prolog_to_os_filename(a, F).
%  F = a.
prolog_to_os_filename(File, File).

%! access_file(+File, +Mode)
%  File may be opened in Mode: read, write, append, execute, exist; none is always true.
%  ?- access_file('no/such/file', read).
%  false.
access_file(File, Mode) :-
    must_be(oneof([read,write,append,execute,exist,none]), Mode),
    (   Mode == none
    ->  true
    ;   memberchk(Mode, [write,append])
    ->  (   exists_file(File)
        ->  true
        ;   \+ exists_directory(File),
            file_directory_name(File, Directory),
            exists_directory(Directory)
        )
    ;   ( exists_file(File) -> true ; exists_directory(File) )
    ).

%! same_file(+File1, +File2)
%  Two names of one file.
%  ?- same_file('a', 'a').
%  true.
same_file(File1, File2) :-
    (   File1 == File2
    ->  true
    ;   absolute_file_name(File1, Path),
        absolute_file_name(File2, Path)
    ).

%! get_flag(+Key, -Value), set_flag(+Key, +Value)
%  The value that flag/3 has for Key.
%  ?- set_flag(k, 3), get_flag(k, V).
%  V = 3.
get_flag(Key, Value) :-
    flag(Key, Value0, Value0),
    Value = Value0.

set_flag(Key, Value) :-
    flag(Key, _, Value).

%! stream_pair(?Pair, -Read, -Write)
%  Read is Pair if that reads, and Write if it writes.
stream_pair(Pair, Read, Write) :-
    must_be(nonvar, Pair),
    (   stream_property(Pair, input)
    ->  Read = Pair
    ;   Write = Pair
    ).

%! tmp_file_stream(+Encoding, -File, -Stream), tmp_file_stream(-File, -Stream, +Options)
%  Stream writes to a new file. Options are encoding(E) and extension(E).
tmp_file_stream(Encoding, File, Stream) :-
    atom(Encoding), !,
    tmp_file_stream(File, Stream, [encoding(Encoding)]).
tmp_file_stream(File, Stream, Options) :-
    option(encoding(Encoding), Options, utf8),
    option(extension(Extension), Options, ''),
    tmp_file(zug, File0),
    (   Extension == ''
    ->  File = File0
    ;   atomic_list_concat([File0,'.',Extension], File)
    ),
    (   Encoding == binary
    ->  open(File, write, Stream, [type(binary)])
    ;   open(File, write, Stream, [encoding(Encoding)])
    ).

%! copy_predicate_clauses(:From, :To)
%  Adds the clauses of a dynamic predicate to another one.
copy_predicate_clauses(From, To) :-
    '$head_of'(From, FromHead),
    '$head_of'(To, ToHead),
    FromHead =.. [_|Arguments],
    ToHead =.. [Name|_],
    forall(clause(FromHead, Body),
           ( Head =.. [Name|Arguments],
             assertz((Head :- Body)) )).

'$head_of'(Indicator, Head) :-
    must_be(nonvar, Indicator),
    (   Indicator = Name/Arity
    ->  functor(Head, Name, Arity)
    ;   Head = Indicator
    ).

%! variant_sha1(+Term, -Hash)
%  Hash is an atom of 40 hexadecimal digits, the same for terms that differ in the names of variables alone.
%  ?- variant_sha1(f(_,a), H), variant_sha1(f(_,a), H).
variant_sha1(Term, Hash) :-
    (   acyclic_term(Term)
    ->  true
    ;   type_error(acyclic_term, Term)
    ),
    (   term_attvars(Term, [])
    ->  true
    ;   type_error(free_of_attvar, Term)
    ),
    findall(Digest,
            ( numbervars(Term, 0, _, [functor_name('$variant')]),
              with_output_to(string(Text),
                             write_term(Term, [quoted(true),ignore_ops(true)])),
              '$sha1'(Text, Digest)
            ),
            [Hash]).

%! variant_hash(+Term, -Hash)
%  Hash is an atom, the same for variants.
%  ?- variant_hash(f(_,a), H), variant_hash(f(_,a), H).
%  true.
variant_hash(Term, Hash) :-
    (   acyclic_term(Term)
    ->  copy_term(Term, Copy),
        numbervars(Copy, 0, _, [attvar(bind)]),
        term_hash('$variant'(Copy), First),
        term_hash('$variant'(First,Copy), Second),
        format(atom(Hash), "~|~`0t~16r~8+~`0t~16r~8+", [First,Second])
    ;   type_error(acyclic_term, Term)
    ).

%! open_null_stream(-Stream)
%  Stream takes what is written and keeps nothing; it counts as other streams do.
%  ?- open_null_stream(S), write(S, abc), character_count(S, N), close(S).
%  N = 3.
open_null_stream(Stream) :-
    open('/dev/null', write, Stream).
