% How terms are written: quotes, operators, spaces, lists, braces, variables.

:- op(700, xfx, ===>).
:- op(200, xfy, **).
:- op(9, fx, #).
:- op(100, yf, ++).
:- op(700, xfx, is_bigger).
:- op(150, fx, not_).

% ISO: `[]` is an atom like any other.
%? writeq(a), nl, writeq('A'), nl, writeq('hello world'), nl, writeq([]), nl, writeq('[]'), nl, writeq({}), nl.
%> a
%> 'A'
%> 'hello world'
%> []
%> []
%> {}
%= true
%? writeq('it''s'), nl, writeq('a\nb'), nl, writeq('a\\b'), nl, writeq(''), nl, writeq('\t'), nl.
%> 'it\'s'
%> 'a\nb'
%> 'a\\b'
%> ''
%> '\t'
%= true
%? writeq(-1), nl, writeq(- 1), nl, writeq(-(1)), nl, writeq(-(-1)), nl, writeq(-a), nl, writeq(-(-a)), nl.
%> -1
%> - 1
%> - 1
%> - -1
%> -a
%> - -a
%= true
%? writeq(1-1), nl, writeq(1-(-1)), nl, writeq(1- -1), nl, writeq(1+(2+3)), nl, writeq((1+2)+3), nl.
%> 1-1
%> 1- -1
%> 1- -1
%> 1+(2+3)
%> 1+2+3
%= true
%? writeq(2*(3+4)), nl, writeq((a,b)), nl, writeq(f((a,b))), nl, writeq((a:-b,c;d->e)), nl.
%> 2*(3+4)
%> a,b
%> f((a,b))
%> a:-b,c;d->e
%= true
%? writeq([a,b|c]), nl, writeq([(a,b)]), nl, writeq([a|[]]), nl, writeq('.'(a)), nl.
%> [a,b|c]
%> [(a,b)]
%> [a]
%> '.'(a)
%= true
%? writeq({a,b}), nl, writeq({-}), nl, writeq('{}'(x)), nl, writeq({}(x)), nl.
%> {a,b}
%> {-}
%> {x}
%> {x}
%= true
%? print(f('X y', "str")), nl.
%> f('X y',"str")
%= true
%? writeq("a string"), nl, write("a string"), nl, writeq("with \"quotes\""), nl.
%> "a string"
%> a string
%> "with \"quotes\""
%= true
%? writeq(a:b:c), nl, writeq((a:-b)), nl, writeq((:-a)), nl, writeq((?-a)), nl.
%> a:b:c
%> a:-b
%> :-a
%> ?-a
%= true
%? writeq(1.0), nl, writeq(1.0e10), nl, writeq(1e22), nl, writeq(0.1), nl, writeq(-0.0), nl, writeq(1.0e-7), nl.
%> 1.0
%> 10000000000.0
%> 1.0e+22
%> 0.1
%> -0.0
%> 1.0e-7
%= true
%? writeq(123456789012345678901234567890), nl.
%> 123456789012345678901234567890
%= true
%? writeq(- (1)), nl, writeq(-(1.5)), nl, writeq(1 - 2 - 3), nl, writeq(1-(2-3)), nl.
%> - 1
%> - 1.5
%> 1-2-3
%> 1-(2-3)
%= true
%? writeq(2**3**4), nl, writeq((2**3)**4), nl, writeq(2^3^4), nl, writeq((2^3)^4), nl.
%> 2**3**4
%> (2**3)**4
%> 2^3^4
%> (2^3)^4
%= true
%? writeq(a===>b), nl, writeq((a===>b)===>c), nl, writeq(#a), nl, writeq(a++), nl.
%> a===>b
%> (a===>b)===>c
%> #a
%> a++
%= true
%? writeq(x is_bigger y), nl, writeq(not_ x), nl.
%> x is_bigger y
%> not_ x
%= true
%? writeq(+), nl, writeq(f(+)), nl, writeq([+,-]), nl, writeq(+ + +), nl, writeq(- - a), nl.
%> +
%> f(+)
%> [+,-]
%> + + (+)
%> - -a
%= true
%? writeq(f(:-)), nl, writeq((:-)), nl, writeq([(:-)]), nl, writeq(f((a:-b))), nl, writeq([(a:-b)]), nl.
%> f(:-)
%> :-
%> [:-]
%> f((a:-b))
%> [(a:-b)]
%= true
%? writeq(f(',')), nl, writeq(','), nl, writeq((',')), nl, writeq('|'), nl, writeq(;), nl, writeq(!), nl.
%> f(',')
%> ','
%> ','
%> '|'
%> ;
%> !
%= true
%? writeq(\a), nl, writeq(\ (\a)), nl, writeq(1 = :- ), nl.
%> \a
%> \ \a
%> 1=(:-)
%= true
%? writeq(a mod b), nl, writeq(mod(a)), nl, writeq(a rem b), nl, writeq((a mod b) mod c), nl, writeq(a mod (b mod c)), nl.
%> a mod b
%> mod(a)
%> a rem b
%> a mod b mod c
%> a mod (b mod c)
%= true
%? writeq(f(a;b)), nl, writeq((a->b;c)), nl, writeq((a:-b)), nl, writeq((a-->b)), nl.
%> f((a;b))
%> a->b;c
%> a:-b
%> a-->b
%= true
%? writeq('$VAR'(1)), nl, print('$VAR'(1)), nl, write_canonical('$VAR'(1)), nl, write('$VAR'(27)), nl.
%> B
%> B
%> '$VAR'(1)
%> B1
%= true
%? write_term([a,'B c',1+2], [quoted(true)]), nl, write_term(1+2*3, [ignore_ops(true)]), nl.
%> [a,'B c',1+2]
%> +(1,*(2,3))
%= true
%? print([1,2]), nl, write([a,'B c']), nl, writeln(x-y).
%> [1,2]
%> [a,B c]
%> x-y
%= true
%? T = f(X,Y,X), copy_term(T, T2), numbervars(T2, 0, End), print(T2), nl.
%> f(A,B,A)
%= T = f(_,_,_), X = _, Y = _, T2 = f(A,B,A), End = 2
%? writeq(f(a , b)), nl, writeq(a:b), nl, writeq((a , b)), nl, writeq(a->b), nl.
%> f(a,b)
%> a:b
%> a,b
%> a->b
%= true
%? writeq(1 rdiv 2), nl, writeq(a=..b), nl, writeq(a is b), nl, writeq(a>=b), nl, writeq(a=:=b), nl.
%> 1 rdiv 2
%> a=..b
%> a is b
%> a>=b
%> a=:=b
%= true
%? writeq(dynamic), nl, writeq((:- dynamic a)), nl, writeq(dynamic(a)), nl, writeq((dynamic a, b)), nl.
%> dynamic
%> :-dynamic a
%> dynamic a
%> dynamic a,b
%= true
%? writeq(- (a)), nl, writeq(-(2)^2), nl, writeq((-2)^2), nl, writeq(-(2^2)), nl, writeq(-2^2), nl.
%> -a
%> (- 2)^2
%> -2^2
%> - 2^2
%> -2^2
%= true
%? writeq(1*(2*3)), nl, writeq((1*2)*3), nl, writeq(1-(2+3)), nl, writeq(a*(b,c)), nl.
%> 1*(2*3)
%> 1*2*3
%> 1-(2+3)
%> a*(b,c)
%= true
%? writeq(é), nl, writeq('Été'), nl, writeq('日本'), nl, writeq(a1_B), nl, writeq('1a'), nl.
%> é
%> 'Été'
%> 日本
%> a1_B
%> '1a'
%= true
%? writeq(['A'|'B']), nl, writeq(- - 1), nl, writeq(\ 1), nl, writeq(+ 1), nl.
%> ['A'|'B']
%> - - 1
%> \1
%> +1
%= true
%? writeq(f(-)), nl, writeq(-(-)), nl, writeq(-(-(1))), nl, writeq([-]), nl, writeq(-[1]), nl, writeq(-(a,b)), nl.
%> f(-)
%> - (-)
%> - - 1
%> [-]
%> -[1]
%> a-b
%= true
%? writeq(1.5e300), nl, writeq(1.0e100), nl, writeq(123456789.0), nl, writeq(1.0e15), nl, writeq(0.0001), nl.
%> 1.5e+300
%> 1.0e+100
%> 123456789.0
%> 1.0e+15
%> 0.0001
%= true
%? writeq('/*'), nl, writeq('//'), nl, writeq('.'), nl, writeq('a.b'), nl, writeq(~), nl, writeq(;), nl.
%> '/*'
%> //
%> '.'
%> 'a.b'
%> ~
%> ;
%= true
%? writeq(- 'A'), nl, writeq('A'+'B'), nl, writeq('A':b), nl, writeq(a:'B'), nl.
%> -'A'
%> 'A'+'B'
%> 'A':b
%> a:'B'
%= true
%? tab(3), write(x), tab(1+1), write(y), nl.
%>    x  y
%= true
%? put_char(a), put_char('\n').
%> a
%= true
%? portray_clause((a(X, Y) :- b(X), \+ c(Y), ( d -> e ; f ))).
%> a(A, B) :-
%>     b(A),
%>     \+ c(B),
%>     (   d
%>     ->  e
%>     ;   f
%>     ).
%= X = _, Y = _
%? portray_clause(foo(X, _, 'A b', [X|_])).
%> foo(A, _, 'A b', [A|_]).
%= X = _
%? portray_clause([1,2,3]).
%> [1, 2, 3].
%= true

%? writeq(\+a), nl, writeq(\+ (a,b)), nl, writeq(\+[a]), nl, writeq(\+ (\+a)), nl.
%> \+a
%> \+ (a,b)
%> \+[a]
%> \+ \+a
%= true
%? writeq(a= (\+b)), nl, writeq([\+a,- - a]), nl.
%> a=(\+b)
%> [\+a,- -a]
%= true

%? write_canonical('a b'(c)), nl.
%> 'a b'(c)
%= true
