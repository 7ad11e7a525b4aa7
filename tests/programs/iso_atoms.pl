% The examples of ISO/IEC 13211-1, sections 8.8 to 8.10 and 8.14 to 8.17: clauses,
% all solutions, reading and writing, atoms and characters, flags.

:- dynamic cat/0, dog/0, elk/1, legs/2, insect/1, unicorn/0, moose/1, foo/1, x/1.

cat.
dog :- true.
elk(X) :- moose(X).
legs(A, 6) :- insect(A).
legs(A, 7) :- A, call(A).
insect(ant). insect(bee).
moose(_) :- fail.
x(1). x(2). x(3).
a(1, f(_)). a(2, f(_)).
b(1, 1). b(1, 1). b(1, 2). b(2, 1). b(2, 2). b(2, 2).

%? clause(cat, true).
%= true
%? clause(dog, true).
%= true
%? clause(legs(I, 6), Body).
%= I = _, Body = insect(_)
%? clause(legs(C, 7), Body).
%= C = _, Body = (call(_),call(_))
%? clause(insect(I), T).
%= I = ant, T = true
%= I = bee, T = true
%? clause(x(_), Body).
%= Body = true
%= Body = true
%= Body = true
%? clause(_, B).
%! error(instantiation_error)
%? clause(4, X).
%! error(type_error(callable,4))
%? asserta(legs(octopus, 8)).
%= true
%? asserta((legs(A, 4) :- animal(A))).
%= A = _
%? asserta((foo(X) :- X, call(X))).
%= X = _
%? asserta(_).
%! error(instantiation_error)
%? asserta(4).
%! error(type_error(callable,4))
%? asserta((foo :- 4)).
%! error(type_error(callable,4))
%? asserta((atom(_) :- true)).
%! error(permission_error(modify,static_procedure,atom/1))
%? assertz(legs(spider, 8)), clause(legs(spider, N), true).
%= N = 8
%? assertz((foo :- 4)).
%! error(type_error(callable,4))
%? assertz((atom(_) :- true)).
%! error(permission_error(modify,static_procedure,atom/1))
%? retract(insect(bee)).
%= true
%? insect(X).
%= X = ant
%? retract((X :- in_win95(X))).
%! error(instantiation_error)
%? retract((4 :- X)).
%! error(type_error(callable,4))
%? retract((atom(X) :- X == '[]')).
%! error(permission_error(modify,static_procedure,atom/1))
%? abolish(foo/2).
%= true
%? abolish(foo/_).
%! error(instantiation_error)
%? abolish(foo).
%! error(type_error(predicate_indicator,foo))
%? abolish(foo(_)).
%! error(type_error(predicate_indicator,foo(_)))
%? abolish(abolish/1).
%! error(permission_error(modify,static_procedure,abolish/1))
%? findall(X, (X = 1 ; X = 2), S).
%= X = _, S = [1,2]
%? findall(X+_, (X = 1), S).
%= X = _, S = [1+_]
%? findall(X, fail, L).
%= X = _, L = []
%? findall(X, (X = 1 ; X = 1), S).
%= X = _, S = [1,1]
%? findall(X, (X = 2 ; X = 1), [1, 2]).
%= false
%? findall(X, Goal, S).
%! error(instantiation_error)
%? findall(X, 4, S).
%! error(type_error(callable,4))
% ISO 8.10.1.3 c
%? findall(X, X = 1, [A|1]).
%! error(type_error(list,[_|1]))
%? bagof(X, (X = 1 ; X = 2), S).
%= X = _, S = [1,2]
%? bagof(X, (X = 1 ; X = 2), X).
%= X = [1,2]
%? bagof(X, (X = Y ; X = Z), S).
%= X = _, Y = _, Z = _, S = [_,_]
%? bagof(X, fail, S).
%= false
%? bagof(1, (Y = 1 ; Y = 2), L).
%= Y = 1, L = [1]
%= Y = 2, L = [1]
%? bagof(f(X, Y), (X = a ; Y = b), L).
%= X = _, Y = _, L = [f(a,_),f(_,b)]
%? bagof(X, Y^((X = 1, Y = 1) ; (X = 2, Y = 2)), S).
%= X = _, Y = _, S = [1,2]
%? bagof(X, Y^((X = 1 ; Y = 1) ; (X = 2, Y = 2)), S).
%= X = _, Y = _, S = [1,_,2]
%? bagof(X, (Y^(X = 1 ; Y = 1) ; X = 3), S).
%! error(existence_error(procedure,(^)/2))
%? bagof(X, (X = Y ; X = Z ; Y = 1), L).
%= X = _, Y = _, Z = _, L = [_,_]
%= X = _, Y = 1, Z = _, L = [_]
%? bagof(X, a(X, Y), L).
%= X = _, Y = f(_), L = [1,2]
%? bagof(X, b(X, Y), L).
%= X = _, Y = 1, L = [1,1,2]
%= X = _, Y = 2, L = [1,2,2]
%? bagof(X, Y^Z, L).
%! error(instantiation_error)
%? bagof(X, 1, L).
%! error(type_error(callable,1))
% ISO 8.10.2.3 c
%? bagof(X, X = 1, [A|1]).
%! error(type_error(list,[_|1]))
%? setof(X, (X = 1 ; X = 2), S).
%= X = _, S = [1,2]
%? setof(X, (X = 2 ; X = 1), S).
%= X = _, S = [1,2]
%? setof(X, (X = 2 ; X = 2), S).
%= X = _, S = [2]
%? setof(X, fail, S).
%= false
%? setof(1, (Y = 2 ; Y = 1), L).
%= Y = 1, L = [1]
%= Y = 2, L = [1]
%? setof(f(X, Y), (X = a ; Y = b), L).
%= X = _, Y = _, L = [f(_,b),f(a,_)]
%? setof(X, Y^((X = 1, Y = 1) ; (X = 2, Y = 2)), S).
%= X = _, Y = _, S = [1,2]
%? setof(X, member(X, [f(b), a, 2, "s", 1.0]), L).
%= X = _, L = [1.0,2,"s",a,f(b)]
%? setof(X, b(X, Y), L).
%= X = _, Y = 1, L = [1,2]
%= X = _, Y = 2, L = [1,2]
%? setof(X-Xs, setof(Y, b(X, Y), Xs), L).
%= X = _, Xs = _, Y = _, L = [1-[1,2],2-[1,2]]
%? setof(X, Y^b(X, Y), L).
%= X = _, Y = _, L = [1,2]
% ISO 8.10.3.3 c
%? setof(X, X = 1, [A|1]).
%! error(type_error(list,[_|1]))
%? op(30, xfy, ++), X = (a ++ b).
%! error(syntax_error(_))
%? op(1201, xfy, ++).
%! error(domain_error(operator_priority,1201))
%? op(max, xfy, ++).
%! error(type_error(integer,max))
%? op(30, xfy, _).
%! error(instantiation_error)
%? op(30, yfy, ++).
%! error(domain_error(operator_specifier,yfy))
%? op(30, XFY, ++).
%! error(instantiation_error)
%? op(30, xfy, ',').
%! error(permission_error(modify,operator,','))
%? current_op(P, xfy, OP), OP == (->).
%= P = 1050, OP = ->
%? writeq([]), writeq('\n'), writeq('a b').
%> []'\n''a b'
%= true
%? write_canonical([1,2,3]).
%> [1,2,3]
%= true
%? write_term([1,2,3], [ignore_ops(true)]).
%> [1,2,3]
%= true
%? print(- 1), nl, writeq(- a), nl, writeq(1 - 1).
%> - 1
%> -a
%> 1-1
%= true
%? atom_length('enchanted evening', N).
%= N = 17
%? atom_length('', N).
%= N = 0
%? atom_length(scarlet, 5).
%= false
%? atom_length(_, N).
%! error(instantiation_error)
% ISO 8.16.1.3 b
%? atom_length(f(a), N).
%! error(type_error(atom,f(a)))
%? atom_length(atom, '4').
%! error(type_error(integer,'4'))
% ISO 8.16.1.3 d
%? atom_length(atom, -4).
%! error(domain_error(not_less_than_zero,-4))
%? atom_concat(hello, ' world', S3).
%= S3 = 'hello world'
%? atom_concat(T, ' world', 'small world').
%= T = small
%? atom_concat(hello, ' world', 'small world').
%= false
%? atom_concat(T1, T2, hello).
%= T1 = '', T2 = hello
%= T1 = h, T2 = ello
%= T1 = he, T2 = llo
%= T1 = hel, T2 = lo
%= T1 = hell, T2 = o
%= T1 = hello, T2 = ''
%? atom_concat(small, V2, V4).
%! error(instantiation_error)
%? atom_concat(_, _, _).
%! error(instantiation_error)
%? sub_atom(abracadabra, 0, 5, _, S2).
%= S2 = abrac
%? sub_atom(abracadabra, _, 5, 0, S2).
%= S2 = dabra
%? sub_atom(abracadabra, 3, L, 3, S2).
%= L = 5, S2 = acada
%? sub_atom(abracadabra, B, 2, A, ab).
%= B = 0, A = 9
%= B = 7, A = 2
%? sub_atom('Banana', 3, 3, _, S2).
%= S2 = ana
%? sub_atom(charity, _, 3, _, S2).
%= S2 = cha
%= S2 = har
%= S2 = ari
%= S2 = rit
%= S2 = ity
%? sub_atom(ab, Start, Length, _, Sub).
%= Start = 0, Length = 0, Sub = ''
%= Start = 0, Length = 1, Sub = a
%= Start = 0, Length = 2, Sub = ab
%= Start = 1, Length = 0, Sub = ''
%= Start = 1, Length = 1, Sub = b
%= Start = 2, Length = 0, Sub = ''
%? sub_atom(_, _, _, _, _).
%! error(instantiation_error)
%? sub_atom(a, x, _, _, _).
%! error(type_error(integer,x))
%? atom_chars('', L).
%= L = []
% ISO 6.3.1.3: the empty list is an atom
%? atom_chars([], L).
%= L = ['[',']']
%? atom_chars('''', L).
%= L = ['\'']
%? atom_chars(ant, L).
%= L = [a,n,t]
%? atom_chars(Str, [s, o, p]).
%= Str = sop
%? atom_chars('North', ['N'|X]).
%= X = [o,r,t,h]
%? atom_chars(soap, [s, o, p]).
%= false
%? atom_chars(_, _).
%! error(instantiation_error)
%? atom_chars(_, [a|_]).
%! error(instantiation_error)
%? atom_chars(_, [a, f(b)]).
%! error(type_error(character,f(b)))
%? atom_codes('', L).
%= L = []
%? atom_codes(ant, L).
%= L = [97,110,116]
%? atom_codes(Str, [0's, 0'o, 0'p]).
%= Str = sop
%? atom_codes('North', [0'N|X]).
%= X = [111,114,116,104]
%? atom_codes(_, _).
%! error(instantiation_error)
%? char_code(X, 0'c), char_code(b, Y), char_code(c, 0'c).
%= X = c, Y = 98
%? char_code(X, Y).
%! error(instantiation_error)
%? char_code(ab, _).
%! error(type_error(character,ab))
%? char_code(_, a).
%! error(type_error(integer,a))
% ISO 8.16.6.3
%? char_code(_, -2).
%! error(representation_error(character_code))
%? number_chars(33, L).
%= L = ['3','3']
%? number_chars(33, ['3', '3']).
%= true
%? number_chars(33.0, L).
%= L = ['3','3','.','0']
%? number_chars(X, ['3', '.', '3', 'E', +, '0']).
%= X = 3.3
%? number_chars(3.3, ['3'|_]).
%= true
%? number_chars(A, [-, '2', '5']).
%= A = -25
%? number_chars(A, ['\n', ' ', '3']).
%= A = 3
%? number_chars(A, ['0', x, f]).
%= A = 15
%? number_chars(A, ['0', '''', a]).
%= A = 97
%? number_chars(A, ['4', '.', '2']).
%= A = 4.2
%? number_chars(A, ['4', '2', '.', '0', e, -, '1']).
%= A = 4.2
%? number_chars(_, _).
%! error(instantiation_error)
%? number_chars(a, _).
%! error(type_error(number,a))
%? number_chars(_, ['3'|_]).
%! error(instantiation_error)
%? number_chars(_, [a|_]).
%! error(instantiation_error)
% ISO 8.16.7.3
%? number_chars(_, [f(a)]).
%! error(type_error(character,f(a)))
%? number_codes(33, L).
%= L = [51,51]
%? number_codes(A, [0'-, 0'2, 0'5]).
%= A = -25
%? number_codes(A, [0'0, 0'', 0'a]).
%= A = 97
%? number_codes(_, _).
%! error(instantiation_error)
%? number_codes(a, _).
%! error(type_error(number,a))
%? set_prolog_flag(X, off).
%! error(instantiation_error)
%? set_prolog_flag(1, fail).
%! error(type_error(atom,1))
%? current_prolog_flag(bounded, B).
%= B = false
%? set_prolog_flag(double_quotes, codes).
%= true
%? atom_to_term('p("ab")', T, _).
%= T = p([97,98])
%? set_prolog_flag(double_quotes, string).
%= true
% ISO 8.11.1.3
%? current_input(foo).
%! error(domain_error(stream,foo))
% ISO 8.11.2.3
%? current_output(1).
%! error(domain_error(stream,1))
%? open(_, read, _).
%! error(instantiation_error)
%? open(f, nomode, _).
%! error(domain_error(io_mode,nomode))
%? open('/no/such/file', read, _).
%! error(existence_error(source_sink,'/no/such/file'))
%? close(_).
%! error(instantiation_error)
%? close(nosuchstream).
%! error(existence_error(stream,nosuchstream))
%? put_char(_).
%! error(instantiation_error)
%? put_char(ab).
%! error(type_error(character,ab))
% ISO 8.12.3.3
%? put_char(1).
%! error(type_error(character,1))
%? nl(_).
%! error(instantiation_error)
%? write_term(1, [quoted(true)|_]).
%! error(instantiation_error)
%? write(nosuchstream, a).
%! error(existence_error(stream,nosuchstream))
