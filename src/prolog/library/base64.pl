% base64.pl: bytes as text in base 64 (RFC 4648).

%! base64(?Plain, ?Encoded)
%  Encoded is Plain in base 64; one of the two is known, the other becomes an atom. Characters are bytes.
%  ?- base64(abc, X).
%  X = 'YWJj'.
base64(Plain, Encoded) :-
    '$base64_atom'(Plain, Encoded, classic).

%! base64url(?Plain, ?Encoded)
%  As base64/2 with the alphabet for addresses: `-` and `_` for `+` and `/`.
%  ?- base64url('ab?>', X).
%  X = 'YWI_Pg=='.
base64url(Plain, Encoded) :-
    '$base64_atom'(Plain, Encoded, url).

'$base64_atom'(Plain, Encoded, Charset) :-
    (   nonvar(Plain)
    ->  '$text_bytes'(Plain, octet, Bytes),
        '$base64_encode'(Bytes, Charset, true, Codes),
        atom_codes(Encoded, Codes)
    ;   nonvar(Encoded)
    ->  atom_codes(Encoded, Codes),
        '$base64_decode'(Codes, Charset, Bytes),
        atom_codes(Plain, Bytes)
    ;   instantiation_error(Plain)
    ).

%! base64_encoded(?Plain, ?Encoded, +Options)
%  As base64/2. Options: charset(classic) or charset(url), padding(Boolean), as(Type), string or atom, of what
%  becomes known, and encoding(E) of Plain: utf8, the default, octet or iso_latin_1.
%  ?- base64_encoded("a", X, [padding(false)]).
%  X = "YQ".
base64_encoded(Plain, Encoded, Options) :-
    option(charset(Charset), Options, classic),
    option(padding(Padding), Options, true),
    option(as(As), Options, string),
    option(encoding(Encoding), Options, utf8),
    must_be(oneof([atom,string]), As),
    must_be(oneof([classic,url]), Charset),
    must_be(oneof([utf8,octet,iso_latin_1]), Encoding),
    (   nonvar(Plain)
    ->  '$text_bytes'(Plain, Encoding, Bytes),
        '$base64_encode'(Bytes, Charset, Padding, Codes),
        '$codes_as'(As, Codes, Encoded)
    ;   nonvar(Encoded)
    ->  string_codes(Encoded, Codes),
        '$base64_decode'(Codes, Charset, Bytes),
        '$bytes_codes'(Encoding, Bytes, Decoded),
        '$codes_as'(As, Decoded, Plain)
    ;   instantiation_error(Plain)
    ).

'$codes_as'(atom, Codes, Text) :- atom_codes(Text, Codes).
'$codes_as'(string, Codes, Text) :- string_codes(Text, Codes).

'$text_bytes'(Text, Encoding, Bytes) :-
    (   is_list(Text)
    ->  text_to_string(Text, String)
    ;   atomic(Text),
        \+ number(Text)
    ->  String = Text
    ;   type_error(text, Text)
    ),
    (   Encoding == utf8
    ->  string_bytes(String, Bytes, utf8)
    ;   string_codes(String, Bytes),
        (   member(Byte, Bytes),
            Byte > 255
        ->  representation_error(encoding)
        ;   true
        )
    ).

'$bytes_codes'(Encoding, Bytes, Codes) :-
    (   Encoding == utf8
    ->  string_bytes(String, Bytes, utf8),
        string_codes(String, Codes)
    ;   Codes = Bytes
    ).

%! base64(?Plain)//
%  Codes in base 64 that stand for the codes Plain, of which each is a byte.
%  ?- phrase(base64(`abc`), Codes), atom_codes(X, Codes).
%  X = 'YWJj'.
base64(Plain) -->
    '$base64_phrase'(Plain, classic).

%! base64url(?Plain)//
%  As base64//1 with the alphabet for addresses.
base64url(Plain) -->
    '$base64_phrase'(Plain, url).

'$base64_phrase'(Plain, Charset, Codes, Rest) :-
    (   nonvar(Plain)
    ->  '$base64_encode'(Plain, Charset, true, All),
        append(All, Rest, Codes)
    ;   '$base64_run'(Codes, Charset, Own, Rest),
        '$base64_decode'(Own, Charset, Plain)
    ).

'$base64_run'([C|Cs], Charset, [C|Own], Rest) :-
    (   '$base64_value'(C, Charset, _)
    ->  true
    ;   C == 0'=
    ),
    !,
    '$base64_run'(Cs, Charset, Own, Rest).
'$base64_run'(Rest, _, [], Rest).

'$base64_encode'([], _, _, []).
'$base64_encode'([A|Rest], Charset, Padding, Codes) :-
    (   Rest = [B,C|More]
    ->  Bits is A<<16 + B<<8 + C,
        '$base64_digits'(4, Bits, Charset, Codes, Codes1),
        '$base64_encode'(More, Charset, Padding, Codes1)
    ;   Rest = [B]
    ->  Bits is A<<16 + B<<8,
        '$base64_digits'(3, Bits, Charset, Codes, End),
        '$base64_padding'(Padding, 1, End)
    ;   Bits is A<<16,
        '$base64_digits'(2, Bits, Charset, Codes, End),
        '$base64_padding'(Padding, 2, End)
    ).

'$base64_padding'(true, N, Codes) :-
    length(Codes, N),
    maplist(=(0'=), Codes).
'$base64_padding'(false, _, []).

% The first digits of 24 bits.
'$base64_digits'(N, Bits, Charset, Codes, End) :-
    '$base64_digits'(N, 18, Bits, Charset, Codes, End).

'$base64_digits'(0, _, _, _, End, End) :- !.
'$base64_digits'(N, Shift, Bits, Charset, [Code|Codes], End) :-
    Value is Bits >> Shift /\ 63,
    '$base64_code'(Value, Charset, Code),
    N1 is N-1,
    Shift1 is Shift-6,
    '$base64_digits'(N1, Shift1, Bits, Charset, Codes, End).

'$base64_code'(Value, Charset, Code) :-
    (   Value < 26
    ->  Code is Value + 0'A
    ;   Value < 52
    ->  Code is Value - 26 + 0'a
    ;   Value < 62
    ->  Code is Value - 52 + 0'0
    ;   '$base64_last'(Charset, Value, Code)
    ).

'$base64_last'(classic, 62, 0'+).
'$base64_last'(classic, 63, 0'/).
'$base64_last'(url, 62, 0'-).
'$base64_last'(url, 63, 0'_).

'$base64_value'(Code, Charset, Value) :-
    (   Code >= 0'A, Code =< 0'Z
    ->  Value is Code - 0'A
    ;   Code >= 0'a, Code =< 0'z
    ->  Value is Code - 0'a + 26
    ;   Code >= 0'0, Code =< 0'9
    ->  Value is Code - 0'0 + 52
    ;   '$base64_last'(Charset, Value, Code)
    ).

'$base64_decode'(Codes, Charset, Bytes) :-
    '$base64_values'(Codes, Charset, Values, Padding),
    '$base64_bytes'(Values, Bytes, Short),
    (   Charset == url,
        Padding == 0
    ->  true
    ;   Short == Padding
    ).

'$base64_values'([], _, [], 0).
'$base64_values'([C|Cs], Charset, Values, Padding) :-
    (   C == 0'=
    ->  Values = [],
        maplist(=(0'=), Cs),
        length([C|Cs], Padding)
    ;   '$base64_value'(C, Charset, Value)
    ->  Values = [Value|Values1],
        '$base64_values'(Cs, Charset, Values1, Padding)
    ;   throw(error(syntax_error(base64_char(Charset, C)), _))
    ).

% Short: how many digits are missing in the last group.
'$base64_bytes'([], [], 0).
'$base64_bytes'([V,W|Rest], [A|Bytes], Short) :-
    A is V<<2 \/ W>>4,
    (   Rest = [X,Y|More]
    ->  B is (W /\ 15)<<4 \/ X>>2,
        C is (X /\ 3)<<6 \/ Y,
        Bytes = [B,C|Bytes1],
        '$base64_bytes'(More, Bytes1, Short)
    ;   Rest = [X]
    ->  B is (W /\ 15)<<4 \/ X>>2,
        Bytes = [B],
        Short = 1
    ;   Bytes = [],
        Short = 2
    ).
