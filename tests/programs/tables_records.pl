% Libraries: csv, base64, record, settings, optparse, pprint; positions of terms; clauses by reference.

:- use_module(library(record)).
:- record point(x:integer=0, y:integer=0), pair(first, second=b).

:- setting(volume, integer, 5+6, 'How loud').
:- setting(host, atom, localhost, 'Where').

:- dynamic known/1.

parsed(Text, Options, Rows) :- atom_codes(Text, Codes), phrase(csv(Rows, Options), Codes).
written(Rows, Text) :- phrase(csv(Rows), Codes), atom_codes(Text, Codes).

spec([[opt(verbose),type(boolean),default(false),shortflags([v]),longflags([verbose]),help('Says more')],
      [opt(depth),meta('N'),type(integer),default(3),shortflags([d]),longflags([depth]),help('How deep')],
      [opt(out),type(atom),shortflags([o]),longflags([output])]]).

%? parsed('a,b\nc,1\n', [], R).
%= R = [row(a,b),row(c,1)]
%? parsed('"a ""b""","c\nd"\r\n1.5,0x1F', [], R).
%= R = [row('a "b"','c\nd'),row(1.5,31)]
%? parsed(' a ;B\n', [separator(0';),strip(true),case(down),functor(f)], R).
%= R = [f(a,b)]
%? parsed('1,a\n', [convert(false)], R).
%= R = [row('1',a)]
%? parsed('a,b\nc\n', [], R).
%! error(domain_error(row_arity(2),1))
%? parsed('a,b\nc\n', [match_arity(false)], R).
%= R = [row(a,b),row(c)]
%? parsed('#x\n#y\na,b\n', [skip_header('#')], R).
%= R = [row(a,b)]
%? parsed('"a"b,c\n', [], R).
%= false
%? written([row('a b', 'c,d', 'e"f', 1.5, "s")], T).
%= T = 'a b,"c,d","e""f",1.5,s\r\n'
%? csv_write_stream(user_output, [row(a,1)], [separator(0'\t)]).
%> a	1
%= true
%? tmp_file(rows, _F), csv_write_file(_F, [row(a,'x\ny'),row(b,2)]), csv_read_file(_F, R), findall(L-_Row, csv_read_file_row(_F, _Row, [line(L)]), Rows).
%= R = [row(a,'x\ny'),row(b,2)], L = _, Rows = [1-row(a,'x\ny'),3-row(b,2)]
%? base64(abc, X), base64(Y, 'YQ=='), base64url('ab?>', Z).
%= X = 'YWJj', Y = a, Z = 'YWI_Pg=='
%? base64_encoded("€", X, []), base64_encoded(Y, "4oKs", [as(atom)]), base64_encoded("a", Z, [padding(false)]).
%= X = "4oKs", Y = €, Z = "YQ"
%? base64(X, 'Y*==').
%! error(syntax_error(base64_char(classic,42)))
%? default_point(P), make_point([y(3)], Q), make_point([y(3),z(4)], R, Rest), point_x(Q, X).
%= P = point(0,0), Q = point(0,3), R = point(0,3), Rest = [z(4)], X = 0
%? make_point([y(a)], _).
%! error(type_error(integer,a))
%? is_point(point(1,2)), \+ is_point(point(a,2)), \+ is_point(_), findall(N-V, point_data(N, point(1,2), V), L).
%= N = _, V = _, L = [x-1,y-2]
%? set_x_of_point(5, point(1,2), P), set_point_fields([x(3),y(4)], P, Q), Q2 = point(1,1), set_y_of_point(9, Q2), default_pair(D).
%= P = point(5,2), Q = point(3,4), Q2 = point(1,9), D = pair(_,b)
%? setting(volume, X), set_setting(volume, 3), setting(volume, Y), restore_setting(volume), setting(volume, Z).
%= X = 11, Y = 3, Z = 11
%? set_setting(volume, a).
%! error(type_error(integer,a))
%? setting(nosuch, _).
%! error(existence_error(setting,user:nosuch))
%? findall(N, current_setting(N, _), L), setting_property(host, comment(C)).
%= N = _, L = [volume,host], C = 'Where'
%? spec(_S), opt_parse(_S, ['-vd5',x,'--output=a b'], O, P).
%= O = [verbose(true),depth(5),out('a b')], P = [x]
%? spec(_S), opt_parse(_S, ['--no-verbose','--depth','7',--,'-v'], O, P, [output_functor(opt)]).
%= O = [opt(out,_),opt(verbose,false),opt(depth,7)], P = ['-v']
%? spec(_S), opt_parse(_S, ['--nosuch'], _, _).
%! error(existence_error(commandline_option,nosuch))
%? spec(_S), opt_help(_S, _H), write(_H).
%> --verbose  -v  boolean=false  Says more
%> --depth    -d  N:integer=3    How deep
%> --output   -o  atom=_
%= true
%? print_term(foo([1,2,3],bar(aaaa,bbbb)), [right_margin(16)]), nl.
%> foo([1,2,3],
%>     bar(aaaa,
%>         bbbb))
%= true
%? print_term([aaaaaa,bbbbbb|T], [right_margin(10)]), nl.
%> [ aaaaaa,
%>   bbbbbb
%> | _
%> ]
%= T = _
%? term_string(T, "f(X,[a|Y]) + (b)", [subterm_positions(P),variable_names(N)]).
%= T = f(_,[a|_])+b, P = term_position(0,16,11,12,[term_position(0,10,0,1,[2-3,list_position(4,9,[5-6],7-8)]),parentheses_term_position(13,16,14-15)]), N = ['X'=_,'Y'=_]
%? term_string(T, "% say\n{a,\"s\"}", [subterm_positions(P),comments(C)]).
%= T = {a,"s"}, P = brace_term_position(6,13,term_position(7,12,8,9,[7-8,string_position(9,12)])), C = ['$stream_position'(0,0,0,0)-"% say"]
%? term_string(_T, "a :- b, \\+ c", [subterm_positions(_P)]), valid_term_position(_T, _P), \+ valid_term_position(a, _P).
%= true
%? assertz(known(1), _R), asserta(known(0), _), clause(H, B, _R), instance(_R, I), erase(_R), findall(X, known(X), L).
%= H = known(1), B = true, I = (known(1):-true), X = _, L = [0]
%? sort([1,1], @=<, [c(t(2),x),b(t(1),x),a(t(2),x)], L).
%= L = [b(t(1),x),c(t(2),x),a(t(2),x)]
%? X = 1 000 000, Y = 12 345.
%= X = 1000000, Y = 12345
