% ctypes.pl: kinds of character codes, as library(ctypes) names them.

%! is_alnum(+Code), is_alpha(+Code), is_ascii(+Code), is_cntrl(+Code), is_csym(+Code), is_csymf(+Code), is_digit(+Code), is_graph(+Code), is_lower(+Code), is_print(+Code), is_punct(+Code), is_space(+Code), is_upper(+Code), is_white(+Code)
%  The character of Code is of the kind of this name, by code_type/2.
%  ?- is_digit(0'7).
%  true.
is_alnum(Code) :- code_type(Code, alnum).
is_alpha(Code) :- code_type(Code, alpha).
is_ascii(Code) :- integer(Code), Code >= 0, Code < 128.
is_cntrl(Code) :- code_type(Code, cntrl).
is_csym(Code) :- code_type(Code, csym).
is_csymf(Code) :- code_type(Code, csymf).
is_digit(Code) :- integer(Code), Code >= 0'0, Code =< 0'9.
is_graph(Code) :- code_type(Code, graph).
is_lower(Code) :- code_type(Code, lower).
is_print(Code) :- code_type(Code, print).
is_punct(Code) :- code_type(Code, punct).
is_space(Code) :- code_type(Code, space).
is_upper(Code) :- code_type(Code, upper).
is_white(Code) :- code_type(Code, white).

%! is_endfile(+Code), is_endline(+Code), is_newline(+Code), is_newpage(+Code), is_period(+Code), is_quote(+Code)
%  Code is -1, the end of a line, a new line, a form feed, the end of a sentence or a quote.
%  ?- is_period(0'?).
%  true.
is_endfile(-1).
is_endline(Code) :- integer(Code), Code >= 10, Code =< 13.
is_newline(10).
is_newpage(12).
is_period(Code) :- memberchk(Code, [0'.,0'?,0'!]).
is_quote(Code) :- memberchk(Code, [0'\',0'",0'`]).

%! is_paren(?Open, ?Close)
%  The codes of two brackets that belong together.
%  ?- is_paren(0'[, C).
%  C = 93.
is_paren(0'(, 0')).
is_paren(0'[, 0']).
is_paren(0'{, 0'}).

%! is_digit(+Code, +Base, -Weight)
%  Code is a digit of this value to a base of at most 36.
%  ?- is_digit(0'f, 16, W).
%  W = 15.
is_digit(Code, Base, Weight) :-
    must_be(between(2, 36), Base),
    (   Code >= 0'0, Code =< 0'9
    ->  Weight is Code - 0'0
    ;   Code >= 0'a, Code =< 0'z
    ->  Weight is Code - 0'a + 10
    ;   Code >= 0'A, Code =< 0'Z
    ->  Weight is Code - 0'A + 10
    ),
    Weight < Base.

%! to_lower(+Code, -Lower), to_upper(+Code, -Upper), upper_lower(?Upper, ?Lower)
%  Codes of a letter in both cases.
%  ?- to_lower(0'A, L).
%  L = 97.
to_lower(Code, Lower) :-
    char_code(Char, Code),
    downcase_atom(Char, LowerChar),
    char_code(LowerChar, Lower).

to_upper(Code, Upper) :-
    char_code(Char, Code),
    upcase_atom(Char, UpperChar),
    char_code(UpperChar, Upper).

upper_lower(Upper, Lower) :-
    (   nonvar(Upper)
    ->  is_upper(Upper),
        to_lower(Upper, Lower)
    ;   is_lower(Lower),
        to_upper(Lower, Upper)
    ).
