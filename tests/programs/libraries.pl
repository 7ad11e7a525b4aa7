% Libraries: red-black trees, sets changed in place, singletons, numbered variables, options of a
% command line, dates, bytes of strings.

%? list_to_rbtree([b-2,a-1,c-3], _T), rb_keys(_T, Ks), rb_size(_T, N), rb_min(_T, K, V).
%= Ks = [a,b,c], N = 3, K = a, V = 1
%? list_to_rbtree([b-2,a-1,c-3], _T), rb_delete(_T, b, V, _T1), rb_visit(_T1, Ps), rb_next(_T, a, N, W).
%= V = 2, Ps = [a-1,c-3], N = b, W = 2
%? numlist(1, 300, _L), findall(X-y, member(X, _L), _Ps), list_to_rbtree(_Ps, _T), foldl([X,T0,T1]>>(rb_delete(T0, X, T1), is_rbtree(T1)), _L, _T, _End), rb_empty(_End).
%= X = _, T0 = _, T1 = _
%? list_to_rbtree([a-1], _T), rb_insert_new(_T, a, 2, _).
%= false
%? list_to_rbtree([a-1,b-2], _T), rb_map(_T, succ, _T1), rb_update(_T1, b, Old, 9, _T2), rb_visit(_T2, Ps).
%= Old = 3, Ps = [a-2,b-9]
%? list_to_rbtree([a-1,b-2], _T), findall(K, rb_in(K, _, _T), Ks).
%= K = _, Ks = [a,b]
%? empty_nb_set(_S), ( member(_X, [b,a,b]), add_nb_set(_X, _S), fail ; nb_set_to_list(_S, L) ).
%= L = [a,b]
%? term_singletons(f(_X,_Y,_X,g(_Z)), _Vs), _Vs == [_Y,_Z].
%= true
%? _T = f(_X,_Y,_X), numbervars(_T, 0, E, [singletons(true)]), print(_T).
%> f(A,_,A)
%= E = 1
%? numbervars(f(_), 0, _, [singletons(42)]).
%! error(type_error(bool,42))
%? varnumbers(f('$VAR'(0),'$VAR'(1),'$VAR'(0)), _T), _T = f(a,b,C).
%= C = a
%? is_most_general_term(f(_,_)), is_most_general_term([_,_]), \+ is_most_general_term(f(_X,_X)), \+ is_most_general_term([_|_]).
%= true
%? argv_options(['--depth=3','--no-color',in,'-v','--name=x',--,'-q'], Positional, Options).
%= Positional = [in,'-q'], Options = [depth(3),color(false),v(true),name(x)]
%? parse_time('2006-12-08T15:29:44+02:00', T).
%= T = 1165584584.0
%? day_of_the_week(date(2024,2,29), D).
%= D = 4
%? string_bytes("aé€", Bs, utf8), string_bytes(S, Bs, utf8).
%= Bs = [97,195,169,226,130,172], S = "aé€"
%? string_bytes("a€", Bs, utf16be).
%= Bs = [0,97,32,172]
%? setup_call_catcher_cleanup(true, member(X, [1,2]), How, (write(How), nl)).
%> exit
%= X = 1, How = _
%= X = 2, How = exit
%? catch(setup_call_catcher_cleanup(true, throw(oops), How, (print(How), nl)), oops, true).
%> exception(oops)
%= How = _
%? setup_call_catcher_cleanup(true, fail, How, (write(How), nl)).
%> fail
%= false
%? dedent_lines("  a\n    b\n", S, []), indent_lines("> ", "a\nb", I).
%= S = "a\n  b\n", I = "> a\n> b"
%? interpolate_string("to {who}", S, [who=you], []).
%= S = "to you"
%? comma_list((a,b,c), L), mkconj(true, x, C), pi_head(P, f(_,_)).
%= L = [a,b,c], C = x, P = f/2
%? group_by(K, V, member(K-V, [a-1,b-2,a-3]), Vs).
%= K = a, V = _, Vs = [1,3]
%= K = b, V = _, Vs = [2]
%? nth_integer_root_and_remainder(3, 30, R, Left).
%= R = 3, Left = 3
%? ord_intersection([a,b], [b,c], S, R).
%= S = [b], R = [c]
%? current_prolog_flag(no_such_flag, _).
%= false
%? statistics(walltime, []), statistics(runtime, [_T]).
%= true
%? swritef(S, 'x\\ny'), swritef(T, '%t and %w\\n', ['A b','A b']).
%= S = "x\ny", T = "'A b' and A b\n"
%? writef('[%4l|%4r|%5c]\n', [a,b,c]), writef('%r%d\n', [ab,2,'X'+1]), writef('%w %w\n', [a]).
%> [a   |   b|  c  ]
%> abab+('X',1)
%> a %w
%= true
%? findall(K-V, date_time_value(K, date(2020,1,2,3,4,5.0,0,'UTC',-), V), L).
%= K = _, V = _, L = [year-2020,month-1,day-2,hour-3,minute-4,second-5.0,utc_offset-0,time_zone-'UTC',date-date(2020,1,2),time-time(3,4,5.0)]
%? stamp_date_time(0.0, _D, 3600), date_time_stamp(_D, S), _D = date(Y,_,_,H,_,_,O,Z,_).
%= S = 0.0, Y = 1969, H = 23, O = 3600, Z = -
%? stamp_date_time(0, date(Y,_,_,_,_,_,O,Z,D), local).
%= Y = 1970, O = 0, Z = 'UTC', D = false
%? stamp_date_time(0, _, mars).
%! error(domain_error(timezone,mars))
%? atom_chars('12x', _Cs), phrase(integer(N), _Cs, R), phrase(digits(D), _Cs, S).
%= N = 12, R = [x], D = ['1','2'], S = [x]
%? phrase(xinteger(X), `-ff`), phrase(number(N), `1.5e1x`, R), phrase(integer(7), S).
%= X = -255, N = 15.0, R = [120], S = [55]
%? catch(phrase(number(a), _), error(E, _), true).
%= E = type_error(number,a)
%? number_codes(N, ['1','2']), number_chars(M, [0'1,0'2]).
%= N = 12, M = 12
%? number_codes(_, ['1',2]).
%! error(type_error(character,2))
%? code_type(a, to_upper(a)), code_type(0'A, to_upper(a)), \+ code_type(0'a, to_upper(0'A)).
%= true
%? write_term(f(X,Y,X), [variable_names(['A'=X,'B'=Y,'C'=X])]), nl.
%> f(A,B,A)
%= X = _, Y = _
%? _X = _Y, write_term(f(_X,_Y), [variable_names(['A'=_X,'B'=_Y])]), nl.
%> f(A,A)
%= true
%? dedent_lines("\ta\n\t\tb", S, []), dedent_lines("\ta\n\t\tb", T, [tab(4)]), dedent_lines(" |a\n | b\n", U, [chars(" |")]).
%= S = "a\n\tb", T = "a\n\tb", U = "a\n b\n"
%? dedent_lines("  {a}\n    {\n   \n", S, []), dedent_lines(" \n  ", T, []).
%= S = "{a}\n  {\n \n", T = "\n"
%? interpolate_string("{X} {a b} {} {c,d} {Y,1}{", S, ['X'=f(1)], []), interpolate_string("<{@write(hi)}>", T, [], [goals(true)]).
%= S = "f(1) {a b} {} d 1{", T = "<hi>"
%? interpolate_string("{X}", _, [], []).
%! error(existence_error(template_var,'X'))
%? concurrent_maplist(succ, [1,2], L), concurrent_maplist([X,Y,Z]>>(Z is X+Y), L, [1,1], M), concurrent_forall(member(X, [1,2]), X > 0), \+ concurrent_forall(member(X, [1,2]), X > 1).
%= L = [2,3], X = _, Y = _, Z = _, M = [3,4]
%? first_solution(X, [member(X, [a,b])], []), \+ first_solution(_, [fail,true], []), first_solution(Y, [fail,Y=c], [on_fail(continue)]), concurrent(2, [A=1,B=2], []).
%= X = a, Y = c, A = 1, B = 2
%? variant(f(_), f(_)), compose([a-[b],b-[c],c-[]], [a-[],b-[d],c-[a],d-[]], G), complement([a-[b],b-[]], C).
%= G = [a-[d],b-[a],c-[],d-[]], C = [a-[],b-[a]]
%? atomics_to_string([a,1], "-", S), atomics_to_string(P, "-", "x-y").
%= S = "a-1", P = [x,y]
%? mapsubterms([X,Y]>>(X == a, Y = b), f(a,g(a),Z), T), foldsubterms([X,S0,S]>>(integer(X), S is S0+X), f(1,g(2)), 0, Sum), term_subsumer(f(a,b,a), f(c,d,c), G).
%= X = _, Y = _, Z = _, T = f(b,g(b),_), S0 = _, S = _, Sum = 3, G = f(_,_,_)
%? sqrt(4, X), ugraph_union([a-[b],b-[]], [b-[a]], G), same_functor(f(x), T).
%= X = 2.0, G = [a-[b],b-[a]], T = f(_)
