% Atoms, characters, codes and strings.

%? atom_codes(abc, L).
%= L = [97,98,99]
%? atom_codes(A, "abc").
%= A = abc
%? atom_codes(A, [0'x, 0'y]).
%= A = xy
%? atom_chars(abc, L).
%= L = [a,b,c]
%? atom_chars(A, [a,b]).
%= A = ab
%? atom_chars(123, L).
%= L = ['1','2','3']
%? atom_chars(X, ['1', '2']), atom(X).
%= X = '12'
%? char_code(C, 97), char_code(b, D).
%= C = a, D = 98
%? number_codes(N, "42").
%= N = 42
%? number_codes(N, " 42").
%= N = 42
%? number_chars(N, ['1', '.', '5']).
%= N = 1.5
%? number_chars(N, [a]).
%! error(syntax_error(illegal_number))
%? atom_number('42', N).
%= N = 42
%? atom_number(A, 42).
%= A = '42'
%? atom_number(abc, N).
%= false
%? atom_number('0x1A', N).
%= N = 26
%? atom_length('hello world', N).
%= N = 11
%? atom_length('', N).
%= N = 0
%? atom_concat(abc, X, abcdef).
%= X = def
%? atom_concat(X, Y, abc).
%= X = '', Y = abc
%= X = a, Y = bc
%= X = ab, Y = c
%= X = abc, Y = ''
%? atom_concat(a, 1, X).
%= X = a1
%? sub_atom(abcde, 1, 3, A, S).
%= A = 1, S = bcd
%? sub_atom(abc, B, 2, A, S).
%= B = 0, A = 1, S = ab
%= B = 1, A = 0, S = bc
%? sub_atom(abcab, B, _, _, ab).
%= B = 0
%= B = 3
%? sub_atom(hello, _, 1, 0, Last).
%= Last = o
%? findall(S, sub_atom(abc, _, _, _, S), L), length(L, N).
%= S = _, L = ['',a,ab,abc,'',b,bc,'',c,''], N = 10
%? upcase_atom('hello World', U), downcase_atom('Hello', D).
%= U = 'HELLO WORLD', D = hello
%? term_to_atom(T, 'g(A, B, A)').
%= T = g(_,_,_)
%? term_to_atom(T, 'foo(X, bar)'), arg(2, T, A).
%= T = foo(_,bar), A = bar
%? atomic_list_concat([a, b, c], A).
%= A = abc
%? atomic_list_concat([a, b, c], '-', A).
%= A = 'a-b-c'
%? atomic_list_concat(L, ',', 'a,b,c').
%= L = [a,b,c]
%? atomic_list_concat([a, X], '-', 'a-b').
%= X = b
%? atomic_list_concat([a, B], X).
%! error(instantiation_error)
%? atomic_list_concat(L, '', abc).
%! error(domain_error(non_empty_atom,''))
%? split_string("a,b,,c", ",", "", P).
%= P = ["a","b","","c"]
%? split_string("  hello  ", "", " ", P).
%= P = ["hello"]
%? split_string("/home//jan///nice/path", "/", "", L).
%= L = ["","home","","jan","","","nice","path"]
%? split_string("a b  c", " ", " ", L).
%= L = ["a","b","c"]
%? string_concat("ab", "cd", S).
%= S = "abcd"
%? string_concat(X, Y, "ab").
%= X = "", Y = "ab"
%= X = "a", Y = "b"
%= X = "ab", Y = ""
%? string_concat(abc, X, "abcd").
%= X = "d"
%? string_length("hello", N).
%= N = 5
%? string_chars(S, [h,i]), string_codes(S, C).
%= S = "hi", C = [104,105]
%? string_to_atom(S, abc).
%= S = "abc"
%? string_to_atom("abc", A).
%= A = abc
%? string_code(1, "abc", C).
%= C = 97
%? sub_string("hello world", 6, 5, _, S).
%= S = "world"
%? sub_string("abcab", B, 2, _, "ab").
%= B = 0
%= B = 3
%? string_upper("abc", U), string_lower("ABC", L).
%= U = "ABC", L = "abc"
%? number_string(42, S).
%= S = "42"
%? term_string(T, "f(X, Y)"), functor(T, N, A).
%= T = f(_,_), N = f, A = 2
%? atom_string(A, "abc"), atom_string(42, S).
%= A = abc, S = "42"
%? char_type(a, alpha), char_type('1', digit(W)).
%= W = 1
%? char_type(X, digit(5)).
%= X = '5'
%? char_type('A', upper(L)), upcase_atom(b, U).
%= L = a, U = 'B'
%? code_type(0' , space), code_type(0'a, csym).
%= true
%? char_type(a, upper(_)).
%= false
%? atom_to_term('p(X, Y, X)', T, B).
%= T = p(_,_,_), B = ['X'=_,'Y'=_]
%? read_term_from_atom('foo(Bar)', T, []).
%= T = foo(_)
%? name(X, "42"), name(Y, "abc"), name(abc, L).
%= X = 42, Y = abc, L = [97,98,99]
%? "abc" == "abc", "abc" \== abc, "abc" @< abc.
%= true
%? text_to_string(hello, S).
%= S = "hello"
%? nb_setval(s, "x"), nb_getval(s, V).
%= V = "x"
%? string_code(0, "abc", C).
%= false
%? sumlist([1,2], S), last([1,2,3], L).
%= S = 3, L = 3
%? normalize_space(atom(A), "  a   b ").
%= A = 'a b'
%? concat_atom([a,b,c], X), concat_atom([a,b], '+', Y).
%= X = abc, Y = 'a+b'
%? atom_chars(A, ['4', '2']), atom_number(A, N).
%= A = '42', N = 42
%? atom_length(X, 3).
%! error(instantiation_error)
%? atom_codes(_, _).
%! error(instantiation_error)
%? atom_chars(_, [a|_]).
%! error(instantiation_error)
%? atom_chars(_, [a,f(b)]).
%! error(type_error(character,f(b)))
%? char_code(_, _).
%! error(instantiation_error)
%? number_codes(_, [0'a]).
%! error(syntax_error(illegal_number))
%? sub_atom(_, _, _, _, a).
%! error(instantiation_error)
%? atom_concat(_, b, _).
%! error(instantiation_error)

% Lists of characters and of codes are text, too.

%? atom_string([a,'1'], S).
%= S = "a1"
%? atom_string([0'a,0'b], S).
%= S = "ab"
%? string_code(2, [a,b], C).
%= C = 98
%? ord_intersect([a,b,c], [b,c,d], S).
%= S = [b,c]
